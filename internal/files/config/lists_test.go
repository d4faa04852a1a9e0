package config

import (
	"fmt"
	"strings"
	"testing"
)

// What has more entries than there is room for is refused, wherever it stands.
func TestListsThatAreTooLong(t *testing.T) {
	for _, c := range []struct{ name, text, want string }{
		{"nine actuators", "[motion]\nbaud = 9600\nmax_speed_strokes_per_s = [1, 1, 1, 1, 1, 1, 1, 1, 1]\n", "f.toml:3:1: motion.max_speed_strokes_per_s: has 9 entries; give up to 8"},
		{"four axes of a head", "[cueing]\nhead_m = [0, 0, 0, 0]\n", "f.toml:2:1: cueing.head_m: has 4 entries; give up to 3"},
		{"of a table in a table", "[cueing.washout]\nforce_gain = [1, 1, 1, 1]\n", "f.toml:2:1: cueing.washout.force_gain: has 4 entries; give up to 3"},
		{"as a dotted key", "cueing.washout.force_gain = [1, 1, 1, 1]\n", "f.toml:1:1: cueing.washout.force_gain: has 4 entries; give up to 3"},
		{"a number for a list", "[motion]\nmin_share = 0.1\n", "f.toml:2:13: motion.min_share: must not be a TOML float; write a list of up to 8, such as [0.5, 0.5]"},
		{"as long as may be", "[motion]\nmin_share = [0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1]\n", "<nil>"},
		{"no actuator", "[motion]\nmin_share = []\n", "<nil>"},
	} {
		cfg := Default()
		if got := fmt.Sprint(Decode("f.toml", []byte(c.text), &cfg)); got != c.want {
			t.Errorf("%s:\ngot  %s\nwant %s", c.name, got, c.want)
		}
	}
}

// The places of lists in tables that may be there several times are told, too.
func TestListsOfTablesThatAreTooLong(t *testing.T) {
	_, err := loaded(t, "geometry.kind = \"corners\"\n[motion]\npreset = \"eh-msc\"\nport = \"x\"\nstart_share = [0, 0, 0, 0, 0, 0, 0, 0, 0, 0]\npark_share = [0, 0, 0, 0, 0, 0, 0, 0]\nmin_share = [0, 0, 0, 0, 0, 0, 0, 0]\n")
	if err == nil || !strings.HasSuffix(err.Error(), ":5:1: motion.start_share: has 10 entries; give up to 8") {
		t.Error(err)
	}
}
