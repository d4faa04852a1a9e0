package games

import (
	"strings"
	"testing"

	"rig.example/rig/internal/files/config"
	"rig.example/rig/test/level"
)

// found returns what Check finds in a configuration, as lines.
func found(cfg config.Config) string {
	var list []string
	Check(&cfg, func(check, where, what, remedy string) {
		list = append(list, check+" "+where+": "+what+"; "+remedy)
	})
	return strings.Join(list, "\n")
}

func TestAGameThatIsNotHeardIsTold(t *testing.T) {
	level.SkipIfQuick(t)
	cfg := config.Default()
	if text := found(cfg); text != "" {
		t.Errorf("no game: %s", text)
	}
	Config{Source: "dirt", Port: 48213}.Put(&cfg)
	if text := found(cfg); !strings.Contains(text, "follow follow: no game is heard at 127.0.0.1:48213") {
		t.Errorf("silence: %s", text)
	}
}
