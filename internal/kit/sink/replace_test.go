package sink

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/test/level"
)

// A child fills a file, says so and waits for the end of its input.
func TestMain(m *testing.M) {
	path := os.Getenv("SINK_TEST_FILE")
	if path == "" {
		os.Exit(m.Run())
	}
	if os.Getenv("SINK_TEST_NAMED") != "" {
		openUnnamed = func(string, fs.FileMode) (*os.File, string, error) { return nil, "", syscall.EOPNOTSUPP }
	}
	err := Sink{Command: "test", Path: path}.Fill(func(w io.Writer) error {
		_, err := io.WriteString(w, strings.Repeat("new\n", 1<<18))
		fmt.Println("written")
		_, _ = io.Copy(io.Discard, os.Stdin)
		return err
	})
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// filling starts a child that has written into a file and waits.
func filling(t *testing.T, path string, env ...string) (child *exec.Cmd, goOn func()) {
	t.Helper()
	child = exec.Command(os.Args[0])
	child.Env = append(os.Environ(), append(env, "SINK_TEST_FILE="+path)...)
	child.Stderr = os.Stderr
	in, err1 := child.StdinPipe()
	out, err2 := child.StdoutPipe()
	if err := errors.Join(err1, err2, child.Start()); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = child.Process.Kill(); _ = child.Wait() })
	if said, err := bufio.NewReader(out).ReadString('\n'); said != "written\n" {
		t.Fatalf("the child said %q, %v", said, err)
	}
	return child, func() { in.Close() }
}

// listed are the names in a folder.
func listed(t *testing.T, folder string) []string {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

func TestAKilledWriterLeavesNothing(t *testing.T) {
	level.SkipIfQuick(t)
	for _, before := range []string{"", "old"} {
		path := filepath.Join(t.TempDir(), "a.csv")
		want := "[]"
		if before != "" {
			want = "[a.csv]"
			if err := os.WriteFile(path, []byte(before), 0o640); err != nil {
				t.Fatal(err)
			}
		}
		const kills = 5
		for range kills {
			child, _ := filling(t, path)
			_ = child.Process.Kill()
			_ = child.Wait()
		}
		if got := fmt.Sprint(listed(t, filepath.Dir(path))); got != want {
			t.Errorf("%d killed writers over %q left %s, want %s", kills, before, got, want)
		}
		if got, _ := os.ReadFile(path); string(got) != before {
			t.Errorf("the file held %q and holds %.20q", before, got)
		}
	}
}

// Where files need a name, the next writer removes what killed ones left, and only that.
func TestLeftoversOfTheDeadAreRemovedAndNotThoseOfTheLiving(t *testing.T) {
	folder := t.TempDir()
	in := func(name string) string { return filepath.Join(folder, name) }
	dead, _ := filling(t, in("dead"), "SINK_TEST_NAMED=1")
	living, goOn := filling(t, in("living"), "SINK_TEST_NAMED=1")
	_ = dead.Process.Kill()
	_ = dead.Wait()
	if err := os.WriteFile(in(".rig-notes"), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if n := len(listed(t, folder)); n != 3 {
		t.Fatalf("%d files before, want the two unfinished and one of the user's: %q", n, listed(t, folder))
	}
	if err := (Sink{Command: "test", Path: in("next")}).Fill(func(io.Writer) error { return nil }); err != nil {
		t.Fatal(err)
	}
	if n := len(listed(t, folder)); n != 3 {
		t.Errorf("%d files after, want the living one's, the user's and the new one: %q", n, listed(t, folder))
	}
	goOn()
	if err := living.Wait(); err != nil {
		t.Errorf("the living one: %v", err)
	}
	if got := fmt.Sprint(listed(t, folder)); got != "[.rig-notes living next]" {
		t.Errorf("in the end there are %s", got)
	}
}

func TestModesAreTheUsersOrTheOldFiles(t *testing.T) {
	was := syscall.Umask(0o027)
	defer syscall.Umask(was)
	for _, without := range []bool{false, true} {
		if without {
			with := openUnnamed
			defer func() { openUnnamed = with }()
			openUnnamed = func(string, fs.FileMode) (*os.File, string, error) { return nil, "", syscall.EOPNOTSUPP }
		}
		path := filepath.Join(t.TempDir(), "a")
		for _, want := range []fs.FileMode{0o640, 0o606} {
			if err := (Sink{Command: "test", Path: path}).Fill(func(io.Writer) error { return nil }); err != nil {
				t.Fatal(err)
			}
			info, err := os.Stat(path)
			if err != nil || info.Mode() != want {
				t.Errorf("without unnamed files %v: mode %v, %v, want %v", without, info.Mode(), err, want)
			}
			if err := os.Chmod(path, 0o606); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// A thread may have a table of files of its own, as the wheel's writer has: what is linked is the
// file that this thread opened.
func TestAThreadWithItsOwnFilesLinksWhatItOpened(t *testing.T) {
	dir := t.TempDir()
	if f, _, err := openUnnamed(dir, 0o600); err != nil {
		t.Skip(err) // this file system names all files
	} else {
		f.Close()
	}
	written := func(name string) error {
		if err := unix.Unshare(unix.CLONE_FILES); err != nil {
			return err
		}
		f, _, err := openUnnamed(dir, 0o600)
		if err != nil {
			return err
		}
		_, err = f.WriteString("mine")
		return errors.Join(err, publish(f, "", filepath.Join(dir, name)), f.Close())
	}
	names := []string{"a", "b"} // of two threads, one at least is not the program's first
	var locked sync.WaitGroup
	locked.Add(len(names))
	done := make(chan error, len(names))
	for _, name := range names {
		go func() {
			runtime.LockOSThread() // and never free it: the thread ends with its table
			locked.Done()
			locked.Wait()
			done <- written(name)
		}()
	}
	for range names {
		if err := <-done; err != nil {
			t.Error(err)
		}
	}
	for _, name := range names {
		if data, err := os.ReadFile(filepath.Join(dir, name)); string(data) != "mine" {
			t.Errorf("%s: %q, %v", name, data, err)
		}
	}
}

// A failure leaves the backup that there is.
func TestABackupStaysUntilThereIsANewOne(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a")
	if err := errors.Join(os.Mkdir(path, 0o755), os.WriteFile(path+".bak", []byte("old"), 0o644)); err != nil {
		t.Fatal(err)
	}
	err := KeepBackup(path)
	if kept, _ := os.ReadFile(path + ".bak"); err == nil || string(kept) != "old" {
		t.Errorf("%v; kept %q", err, kept)
	}
}

// The kernel refuses a link to a file of another user that this one cannot write (fs.protected_hardlinks).
func TestABackupOfAnotherUsersFile(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can act as two users")
	}
	folder := t.TempDir()
	path := filepath.Join(folder, "a")
	err := errors.Join(os.Chmod(filepath.Dir(folder), 0o755), os.Chmod(folder, 0o777), os.WriteFile(path, []byte("now"), 0o644), os.WriteFile(path+".bak", []byte("old"), 0o644))
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never free it: the thread, which acts as another user, ends with the function
		const same = ^uintptr(0)
		if _, _, errno := unix.RawSyscall(unix.SYS_SETRESUID, same, 12345, same); errno != 0 { // of this thread alone
			done <- errno
			return
		}
		done <- KeepBackup(path)
	}()
	err = <-done
	if kept, _ := os.ReadFile(path + ".bak"); err != nil || string(kept) != "now" || len(listed(t, folder)) != 2 {
		t.Errorf("%v; kept %q among %q", err, kept, listed(t, folder))
	}
}
