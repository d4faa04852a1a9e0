package dash

import (
	"strings"
	"testing"
)

func TestConfig(t *testing.T) {
	for _, tt := range []struct {
		name   string
		config Config
		want   string // of the error, empty if the configuration is valid
	}{
		{"off", DefaultConfig(), ""},
		{"this computer", Config{Listen: "127.0.0.1:8888"}, ""},
		{"by name", Config{Listen: "localhost:1"}, ""},
		{"all devices", Config{Listen: "0.0.0.0:65535", Hosts: []string{"rig.local", "rig", "10.0.0.7", "fe80::1"}}, ""},
		{"all devices, IPv6 too", Config{Listen: ":8888"}, ""},
		{"one address", Config{Listen: "[fe80::1%eth0]:8888"}, ""},
		{"no port", Config{Listen: "127.0.0.1"}, `listen = "127.0.0.1": must be an address and a port`},
		{"port 0", Config{Listen: "127.0.0.1:0"}, "must be an address and a port"},
		{"large port", Config{Listen: "127.0.0.1:65536"}, "must be an address and a port"},
		{"name of a port", Config{Listen: "127.0.0.1:http"}, "must be an address and a port"},
		{"name of another computer", Config{Listen: "rig.local:8888"}, "must be an address and a port"},
		{"host with a port", Config{Hosts: []string{"ok", "rig.local:8888"}}, `hosts[1] = "rig.local:8888": must be a name`},
		{"host with a scheme", Config{Hosts: []string{"http://rig.local"}}, "hosts[0]"},
		{"empty host", Config{Hosts: []string{""}}, "hosts[0]"},
		{"every host", Config{Hosts: []string{"*"}}, "hosts[0]"},
		{"too many", Config{Hosts: make([]string, 17)}, "hosts has 17 entries: must be 0 to 16"},
	} {
		err := tt.config.Validate()
		if (err == nil) != (tt.want == "") || err != nil && !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
	}
}
