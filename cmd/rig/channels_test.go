package main

import (
	"encoding/json"
	"strings"
	"testing"

	"rig.example/rig/internal/core/channels"
)

func TestChannelsAreListed(t *testing.T) {
	status, out, errs := rigCommand(t, "channels")
	if status != exitDone || errs != "" || strings.Count(out, "\n") != len(channels.All())+len(channels.Groups())+1 {
		t.Errorf("status %d, %q, %d lines", status, errs, strings.Count(out, "\n"))
	}
	for _, want := range []string{"chassis:\n", "  yaw_rate ", " rad/s ", "  rim_torque* ", "positive in a left turn\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing", want)
		}
	}
}

func TestChannelsOfAGroup(t *testing.T) {
	status, out, errs := rigCommand(t, "channels", "--group", "anti_roll_bar", "--json")
	var got []struct {
		Name, Unit, Group, About string
		NeedsDrive               bool `json:"needs_drive"`
	}
	if err := json.Unmarshal([]byte(out), &got); err != nil || status != exitDone || errs != "" || len(got) != 10 {
		t.Fatalf("status %d, %v, %s, %d channels", status, err, errs, len(got))
	}
	if c := got[0]; c.Name != "front_compression_left" || c.Unit != "m" || c.Group != "anti_roll_bar" || c.About == "" || c.NeedsDrive {
		t.Errorf("%+v", c)
	}
	status, out, errs = rigCommand(t, "channels", "--group", "bars")
	if status != exitUsage || out != "" || !strings.HasPrefix(errs, `rig: --group: "bars" not found; choose chassis, `) || strings.Count(errs, "\n") != 1 {
		t.Errorf("status %d, %q, %q", status, out, errs)
	}
}
