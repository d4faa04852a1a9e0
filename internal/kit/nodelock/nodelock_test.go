package nodelock

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

func TestANodeIsLockedOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "node")
	open := func() *os.File {
		f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE, 0o600)
		if err != nil {
			t.Fatal(err)
		}
		return f
	}
	first, second := open(), open()
	defer second.Close()
	if !Lock(int(first.Fd())) || Lock(int(second.Fd())) {
		t.Error("the first has no lock, or the second has one too")
	}
	if got := Holder(path); !strings.Contains(got, "(process "+strconv.Itoa(os.Getpid())+")") {
		t.Errorf("%s holds it", got)
	}
	first.Close()
	if !Lock(int(second.Fd())) {
		t.Error("it is locked by nobody")
	}
}

func TestHolderOfALock(t *testing.T) {
	const locks = "1: POSIX  ADVISORY  WRITE 11 00:05:93 0 EOF\n2: FLOCK  ADVISORY  WRITE 22 00:05:93 0 EOF\n" +
		"2: -> FLOCK  ADVISORY  WRITE 33 00:05:94 0 EOF\n"
	for node, want := range map[string]string{"00:05:93": "22", "00:05:94": "", "00:06:93": ""} {
		if got := owner([]byte(locks), node); got != want {
			t.Errorf("%s is locked by %q, want %q", node, got, want)
		}
	}
}
