package drivers

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/files/config"
)

const otherUser = 65534

// asOther calls f with the rights of another user on files. It needs root.
func asOther(t *testing.T, f func()) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("only root can act as another user")
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // the thread ends with the goroutine
		if err := unix.Setfsuid(otherUser); err != nil {
			t.Error(err)
			return
		}
		f()
	}()
	<-done
}

// openRig is rigOf in a folder that all users can read.
func openRig(t *testing.T) (config.Config, Store) {
	t.Helper()
	cfg, s := rigOf(t)
	for dir := filepath.Dir(cfg.Profiles); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	return cfg, s
}

// One user says who drives, and another starts the rig: the umask does not matter.
func TestOtherUsersReadWhoDrives(t *testing.T) {
	cfg, s := openRig(t)
	defer unix.Umask(unix.Umask(0o077))
	cfg.Assists.ABS = 5
	if _, _, err := s.New("anna", cfg); err != nil {
		t.Fatal(err)
	}
	if err := s.Use("anna"); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]fs.FileMode{s.useFile: 0o644, s.Profile("anna"): 0o644, s.Dir: 0o755, cfg.Profiles: 0o755} {
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != want {
			t.Errorf("%s: %v, %v", path, info.Mode(), err)
		}
	}
	asOther(t, func() {
		if err := Apply(&cfg, ""); err != nil || cfg.Driver != "anna" || UseProblem(cfg, "") != nil {
			t.Errorf("%q drives, %v", cfg.Driver, err)
		}
	})
}

// Who may not know who drives is told, and drives as nobody in particular.
func TestWhoDrivesCannotBeRead(t *testing.T) {
	cfg, s := openRig(t)
	put(t, s.Profile("anna"), "assists.abs = 5\n")
	if err := s.Use("anna"); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(s.useFile, 0o600); err != nil {
		t.Fatal(err)
	}
	asOther(t, func() {
		c := cfg
		c.Driver = "bob"
		if err := Apply(&c, ""); err != nil || c.Driver != "" {
			t.Errorf("%q drives, %v", c.Driver, err)
		}
		if err := UseProblem(cfg, ""); err == nil || !strings.Contains(err.Error(), s.useFile) || strings.Contains(err.Error(), "\n") {
			t.Errorf("told: %v", err)
		}
		if err := UseProblem(cfg, "anna"); err != nil {
			t.Errorf("with --driver: %v", err)
		}
		if err := Apply(&c, "anna"); err != nil || c.Assists.ABS != 5 {
			t.Errorf("with --driver: %v", err)
		}
	})
}

// What root makes belongs to the owner of the folder that it is in.
func TestFilesOfRootBelongToTheRig(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("not root")
	}
	cfg, s := openRig(t)
	if err := os.Mkdir(cfg.Profiles, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(cfg.Profiles, otherUser, otherUser); err != nil {
		t.Fatal(err)
	}
	put(t, s.Window("anna"), "left")
	_, kept, err := s.New("anna", cfg)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Use("anna"); err != nil {
		t.Fatal(err)
	}
	if _, err := s.KeepRecord("anna", Record{Car: "gt", Track: "club", Lap: 1}); err != nil {
		t.Fatal(err)
	}
	for _, path := range []string{s.useFile, s.Dir, s.Profile("anna"), s.recordsPath("anna"), kept, filepath.Join(kept, "anna.window.toml"), filepath.Join(s.Dir, ".anna.lock")} {
		if info, err := os.Stat(path); err != nil || info.Sys().(*syscall.Stat_t).Uid != otherUser {
			t.Errorf("%s: %v, %+v", path, err, info)
		}
	}
}

func TestALinkedProfileStaysALink(t *testing.T) {
	cfg, s := rigOf(t)
	cfg.Driver = "anna"
	real := filepath.Join(t.TempDir(), "mine.toml")
	if err := os.WriteFile(real, []byte("ffb.gain = 1\n"), 0o640); err != nil {
		t.Fatal(err)
	}
	put(t, s.Profile("bob"), "") // makes the folder
	if err := os.Symlink(real, s.Profile("anna")); err != nil {
		t.Fatal(err)
	}
	if err := s.Keep(cfg, map[string]any{"ffb.gain": 0.5}); err != nil {
		t.Fatal(err)
	}
	if got := get(t, real); got != "ffb.gain = 0.5\n" {
		t.Errorf("the profile is %q", got)
	}
	if to, err := os.Readlink(s.Profile("anna")); err != nil || to != real {
		t.Errorf("the link: %q, %v", to, err)
	}
	if info, err := os.Stat(real); err != nil || info.Mode().Perm() != 0o640 {
		t.Errorf("its rights: %v, %v", info.Mode(), err)
	}
}

// A lock that is a link leads nowhere: root would give away what it leads to.
func TestALinkIsNoLock(t *testing.T) {
	_, s := rigOf(t)
	put(t, s.Profile("anna"), "")
	if err := os.Symlink(s.Profile("anna"), filepath.Join(s.Dir, ".anna.lock")); err != nil {
		t.Fatal(err)
	}
	if _, err := s.lock("anna"); !errors.Is(err, unix.ELOOP) {
		t.Error(err)
	}
}
