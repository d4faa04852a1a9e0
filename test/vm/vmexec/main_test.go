package main

import (
	"context"
	"errors"
	"os/exec"
	"strings"
	"testing"
)

func TestFileFlag(t *testing.T) {
	tests := []struct {
		name, arg string
		want      file
		err       string
	}{
		{"two parts", "rig:/bin/rig", file{"rig", "/bin/rig", 0o755}, ""},
		{"with a mode", "rig.toml:/etc/rig.toml:600", file{"rig.toml", "/etc/rig.toml", 0o600}, ""},
		{"one part", "rig", file{}, "host:guest"},
		{"relative in the guest", "rig:rig", file{}, "absolute"},
		{"no host file", ":/bin/rig", file{}, "host:guest"},
		{"mode not octal", "rig:/bin/rig:9", file{}, "octal"},
		{"mode too large", "rig:/bin/rig:7777", file{}, "octal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var got files
			err := got.Set(test.arg)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("got %v, want %q", err, test.err)
				}
				return
			}
			if err != nil || len(got) != 1 || got[0] != test.want {
				t.Errorf("got %v, %v; want %v", got, err, test.want)
			}
		})
	}
}

func FuzzFileFlag(f *testing.F) {
	f.Add("rig:/bin/rig:755")
	f.Fuzz(func(t *testing.T, arg string) {
		var got files
		if err := got.Set(arg); err == nil && (len(got) != 1 || got[0].guest[0] != '/') {
			t.Fatalf("%q gives %v", arg, got)
		}
	})
}

// endWith returns the error of a process that ended with this status.
func endWith(t *testing.T, status string) error {
	t.Helper()
	err := exec.Command("sh", "-c", "exit "+status).Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	return err
}

func TestGuestStatus(t *testing.T) {
	gone, cancel := context.WithCancel(context.Background())
	cancel()
	late, cancel := context.WithTimeout(context.Background(), 0)
	defer cancel()
	tests := []struct {
		name   string
		ctx    context.Context
		status string // of QEMU
		want   int
		err    string
	}{
		{"test passed", context.Background(), "33", 0, ""},
		{"test failed", context.Background(), "35", 1, ""},
		{"test killed", context.Background(), "235", 101, ""},
		{"QEMU failed", context.Background(), "1", 0, "exit status 1"},
		{"guest switched off", context.Background(), "0", 0, "switched itself off"},
		{"too slow", late, "1", 0, "in time"},
		{"interrupted", gone, "1", 0, "interrupted"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := guestStatus(test.ctx, endWith(t, test.status))
			if got != test.want || (err == nil) != (test.err == "") {
				t.Fatalf("got %d, %v; want %d, %q", got, err, test.want, test.err)
			}
			if err != nil && !strings.Contains(err.Error(), test.err) {
				t.Errorf("got %v, want %q", err, test.err)
			}
		})
	}
}
