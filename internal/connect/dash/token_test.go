package dash

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"golang.org/x/sys/unix"
)

func TestATokenIsMadeOnceAndKept(t *testing.T) {
	path := filepath.Join(t.TempDir(), "new", "token")
	first, err := Token(path)
	if err != nil || !tokenShape.MatchString(first) {
		t.Fatalf("%q, %v", first, err)
	}
	if again, err := Token(path); again != first || err != nil {
		t.Errorf("%q, then %q, %v", first, again, err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("mode %v, %v", info.Mode(), err)
	}
	if other, _ := Token(filepath.Join(t.TempDir(), "token")); other == first {
		t.Error("two tokens are the same")
	}
}

// Processes that start at the same time end with one token; one that finds a file half written says so.
func TestTwoProcessesMakeOneToken(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	var mu sync.Mutex
	found := map[string]bool{}
	var all sync.WaitGroup
	for range 20 {
		all.Go(func() {
			token, err := Token(path)
			mu.Lock()
			defer mu.Unlock()
			if err == nil {
				found[token] = true
			} else if !strings.Contains(err.Error(), "has no token") {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if len(found) != 1 {
		t.Errorf("%d tokens", len(found))
	}
}

func TestTokenFilesOfOthersAreRefused(t *testing.T) {
	const good = testToken + "\n"
	for _, tt := range []struct {
		name string
		make func(path string) error
		want string
	}{
		{"readable by the group", func(p string) error { return os.WriteFile(p, []byte(good), 0o640) }, "others may use it"},
		{"writable by all", func(p string) error {
			if err := os.WriteFile(p, []byte(good), 0o600); err != nil {
				return err
			}
			return os.Chmod(p, 0o602)
		}, "others may use it"},
		{"of another user", func(p string) error {
			if err := os.WriteFile(p, []byte(good), 0o600); err != nil {
				return err
			}
			return os.Chown(p, 12345, -1)
		}, "belongs to user 12345"},
		{"a link", func(p string) error {
			if err := os.WriteFile(p+"2", []byte(good), 0o600); err != nil {
				return err
			}
			return os.Symlink(p+"2", p)
		}, "is a symbolic link"},
		{"a link to nothing", func(p string) error { return os.Symlink(p+"2", p) }, "is a symbolic link"},
		{"a named pipe", func(p string) error { return unix.Mkfifo(p, 0o600) }, "is no regular file"},
		{"a folder", func(p string) error { return os.Mkdir(p, 0o700) }, "is no regular file"},
		{"empty", func(p string) error { return os.WriteFile(p, nil, 0o600) }, "has no token"},
		{"short", func(p string) error { return os.WriteFile(p, []byte("abc"), 0o600) }, "has no token"},
		{"long", func(p string) error { return os.WriteFile(p, []byte(good+good), 0o600) }, "has no token"},
		{"huge", func(p string) error { return os.WriteFile(p, make([]byte, 1<<20), 0o600) }, "has no token"},
	} {
		path := filepath.Join(t.TempDir(), "token")
		if err := tt.make(path); err != nil {
			if os.IsPermission(err) {
				continue // only root gives files away
			}
			t.Fatal(err)
		}
		_, err := Token(path)
		if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), "; remove it") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %q and what to do in one line", tt.name, err, tt.want)
		}
	}
}
