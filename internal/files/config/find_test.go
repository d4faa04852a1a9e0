package config

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestWhereAConfigurationIsFound(t *testing.T) {
	const machine = "/etc/rig/rig.toml"
	fallback := ""
	if _, err := os.Stat(machine); err == nil {
		fallback = machine
	}
	home := t.TempDir()
	own := filepath.Join(home, "rig", "rig.toml")
	for _, tt := range []struct {
		name     string
		here     string // "" for none, "file" or "pipe"
		own      bool
		uid      int
		notified string
		want     string
	}{
		{"a user", "file", true, 1000, "", "rig.toml"},
		{"a user elsewhere", "", true, 1000, "", own},
		{"a user without any", "", false, 1000, "", fallback},
		{"a pipe", "pipe", true, 1000, "", own},
		{"root", "file", true, 0, "", own},
		{"root without any", "file", false, 0, "", fallback},
		{"the service", "file", true, 999, "/run/systemd/notify", own},
		{"the service without any", "file", false, 999, "/run/systemd/notify", fallback},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Chdir(t.TempDir())
			var err error
			switch tt.here {
			case "file":
				err = os.WriteFile("rig.toml", nil, 0o600)
			case "pipe":
				err = syscall.Mkfifo("rig.toml", 0o600)
			}
			if err != nil {
				t.Fatal(err)
			}
			if err := os.RemoveAll(filepath.Dir(own)); err != nil {
				t.Fatal(err)
			}
			if tt.own {
				if err := os.Mkdir(filepath.Dir(own), 0o700); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(own, nil, 0o600); err != nil {
					t.Fatal(err)
				}
			}
			env := map[string]string{"XDG_CONFIG_HOME": home, "NOTIFY_SOCKET": tt.notified}
			if got := Find(func(key string) string { return env[key] }, tt.uid); got != tt.want {
				t.Errorf("found %q, want %q", got, tt.want)
			}
		})
	}
}

func TestWithoutAHomeNoFileOfTheWorkingFolderIsTaken(t *testing.T) {
	t.Chdir(t.TempDir())
	if err := os.MkdirAll(".config/rig", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(".config/rig/rig.toml", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if got := Find(func(string) string { return "" }, 0); got == ".config/rig/rig.toml" {
		t.Errorf("found %q", got)
	}
}

func TestWhereAConfigurationBelongs(t *testing.T) {
	for _, tt := range []struct {
		env  map[string]string
		uid  int
		want string // "" for an error
	}{
		{map[string]string{"HOME": "/root", "XDG_CONFIG_HOME": "/x"}, 0, "/etc/rig/rig.toml"},
		{map[string]string{"HOME": "/home/a"}, 1000, "/home/a/.config/rig/rig.toml"},
		{map[string]string{"HOME": "/home/a", "XDG_CONFIG_HOME": "/x"}, 1000, "/x/rig/rig.toml"},
		{map[string]string{"HOME": "/home/a", "XDG_CONFIG_HOME": "x"}, 1000, ""},
		{nil, 1000, ""},
	} {
		got, err := OwnFile(func(key string) string { return tt.env[key] }, tt.uid)
		if got != tt.want || (err == nil) != (tt.want != "") {
			t.Errorf("uid %d, %v: %q, %v; want %q", tt.uid, tt.env, got, err, tt.want)
		}
	}
}
