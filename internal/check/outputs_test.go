package check

import (
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/config"
	"rig.example/rig/internal/telemetry"
)

// found collects what a check finds, as lines.
func found(check func(config.Config, func(check, where, what, remedy string)), cfg config.Config) string {
	var list []string
	check(cfg, func(check, where, what, remedy string) {
		list = append(list, string(catalogEntry(check).Level)+" "+where+": "+what+"; "+remedy)
	})
	return strings.Join(list, "\n")
}

func TestOutputsAreChecked(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := config.Default()
	if text := found(checkOutputs, cfg); text != "" {
		t.Errorf("by default: %s", text)
	}
	cfg.Web.Listen = l.Addr().String()
	cfg.Telemetry.Outs = []telemetry.Out{{Format: "json", To: "127.0.0.1:4444"}, {Format: "json", To: "nobody.invalid:4444"}, {Format: "simapi"}}
	text := found(checkOutputs, cfg)
	for _, want := range []string{"warning web: ", "a running rig may serve it already", "warning telemetry.out[1]: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != 1 {
		t.Errorf("found\n%s", text)
	}
}

func TestAGameThatIsNotHeardIsTold(t *testing.T) {
	cfg := config.Default()
	if text := found(checkGame, cfg); text != "" {
		t.Errorf("no game: %s", text)
	}
	cfg.Follow.Source, cfg.Follow.Port = "dirt", 48213
	if text := found(checkGame, cfg); !strings.Contains(text, "warning follow: no game is heard at 127.0.0.1:48213") {
		t.Errorf("silence: %s", text)
	}
}
