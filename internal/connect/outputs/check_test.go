package outputs

import (
	"net"
	"strings"
	"testing"

	"rig.example/rig/internal/connect/dash"
	"rig.example/rig/internal/connect/telemetry"
	"rig.example/rig/internal/files/config"
)

// found returns what Check finds in a configuration, as lines.
func found(cfg config.Config) string {
	var list []string
	Check(&cfg, func(check, where, what, remedy string) {
		list = append(list, check+" "+where+": "+what+"; "+remedy)
	})
	return strings.Join(list, "\n")
}

func TestOutputsAreChecked(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	cfg := config.Default(Section())
	if text := found(cfg); text != "" {
		t.Errorf("by default: %s", text)
	}
	o := Options{Web: dash.Config{Listen: l.Addr().String()}}
	o.Telemetry.Outs = []telemetry.Out{{Format: "json", To: "127.0.0.1:4444"}, {Format: "json", To: "nobody.invalid:4444"}, {Format: "simapi"}}
	cfg.Put(&o)
	text := found(cfg)
	for _, want := range []string{"web web: ", "a running rig may serve it already", "telemetry telemetry.out[1]: "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Count(text, "\n") != 1 {
		t.Errorf("found\n%s", text)
	}
}
