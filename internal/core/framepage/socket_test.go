package framepage

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"

	"rig.example/rig/internal/core/frame"
)

// A watcher gets the state and nothing that a rig obeys.
func TestAWatcherHasNoKeys(t *testing.T) {
	p, path := served(t)
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	r.SetKeys(frame.KeyStop | frame.KeyHighTorque)
	if k, beat := p.Keys(); k != 0 || beat != 0 || r.keys != nil {
		t.Errorf("a watcher pressed %b, beat %d", k, beat)
	}
}

// Without a rig of one's own the service's is watched.
func TestTheServiceIsWatchedWhereThereIsNoOtherRig(t *testing.T) {
	own, path := served(t)
	service, other := served(t)
	own.Publish(filled(1))
	service.Publish(filled(2))
	none := filepath.Join(t.TempDir(), "page")
	for _, tt := range []struct {
		own, service string
		want         uint64
	}{{path, other, 1}, {none, other, 2}, {path, none, 1}} {
		p, err := userOrService(tt.own, tt.service, open)
		if err != nil {
			t.Fatal(err)
		}
		var f frame.Frame
		if !p.Read(&f) || f.Tick != tt.want {
			t.Errorf("watched rig %d, want %d", f.Tick, tt.want)
		}
		p.Close()
	}
	if _, err := userOrService(none, none, open); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "is rig running?") {
		t.Errorf("no rig at all: %v", err)
	}
}

func TestTwoRigsDoNotShareASocket(t *testing.T) {
	_, path := served(t)
	if _, err := Reserve(path); !errors.Is(err, ErrBusy) || !strings.Contains(err.Error(), "pkill -INT -x ") || strings.Contains(err.Error(), "page") {
		t.Errorf("second rig: %v", err)
	}
	free := filepath.Join(t.TempDir(), "page")
	s, err := Reserve(free)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Open(free); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "is rig running?") {
		t.Errorf("reserved, with no page yet: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if s, err = Reserve(free); err != nil {
		t.Fatalf("after the first has ended: %v", err)
	}
	s.Close()
}

// A rig that was killed leaves its socket behind; the next one takes the place.
func TestASocketOfADeadRigIsReplaced(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	l.Close()
	if _, err := Open(path); !errors.Is(err, unix.ECONNREFUSED) {
		t.Errorf("a dead rig's: %v", err)
	}
	s, err := Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	p := newPage(t)
	if err := s.Serve(p); err != nil {
		t.Fatal(err)
	}
	r, err := Open(path)
	if err != nil {
		t.Fatal(err)
	}
	r.Close()
}

// Whatever was planted at the socket's place or its lock's is refused, touched by nobody, and
// keeps nobody waiting.
func TestPlantedThingsAreRefused(t *testing.T) {
	for _, what := range []struct {
		name  string
		plant func(path string) error
	}{
		{"file", func(path string) error { return os.WriteFile(path, []byte("theirs"), 0o666) }},
		{"FIFO", func(path string) error { return unix.Mkfifo(path, 0o666) }},
		{"symlink", func(path string) error { return os.Symlink(filepath.Join(filepath.Dir(path), "victim"), path) }},
		{"folder", func(path string) error { return os.Mkdir(path, 0o777) }},
	} {
		for _, suffix := range []string{"", ".lock"} {
			if what.name == "file" && suffix == ".lock" {
				continue // of one's own it is the lock
			}
			t.Run(what.name+suffix, func(t *testing.T) {
				folder := t.TempDir()
				path := filepath.Join(folder, "page")
				victim := filepath.Join(folder, "victim")
				if err := errors.Join(os.WriteFile(victim, []byte("kept"), 0o600), what.plant(path+suffix)); err != nil {
					t.Fatal(err)
				}
				if s, err := Reserve(path); err == nil {
					s.Close()
					t.Error("it was taken")
				} else if !strings.Contains(err.Error(), path) {
					t.Errorf("the message does not say where: %v", err)
				}
				if p, err := Open(path); err == nil {
					p.Close()
					t.Error("it was watched")
				}
				if _, err := os.Lstat(path + suffix); err != nil {
					t.Errorf("it was removed: %v", err)
				}
				if b, err := os.ReadFile(victim); err != nil || string(b) != "kept" {
					t.Errorf("what the symlink leads to is %q, %v", b, err)
				}
			})
		}
	}
}

// Another user's lock and socket are left alone.
func TestAnotherUsersSocketIsRefused(t *testing.T) {
	root(t)
	for _, suffix := range []string{"", ".lock"} {
		path := filepath.Join(t.TempDir(), "page")
		if suffix == "" {
			l, err := net.Listen("unix", path)
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
		} else if err := os.WriteFile(path+suffix, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Chown(path+suffix, nobody, nobody); err != nil {
			t.Fatal(err)
		}
		if s, err := Reserve(path); err == nil {
			s.Close()
			t.Errorf("page%s of another user was taken", suffix)
		}
	}
}

const nobody = 65534

func root(t *testing.T) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("needs root to be another user")
	}
}

// order connects for orders and waits for a greeting.
func order(path string) error {
	conn, err := DialOrders(path)
	if err != nil {
		return err
	}
	defer conn.Close()
	_, err = conn.Read(make([]byte, 1))
	return err
}

// greet is what serves those who connect for orders.
func greet(conn net.Conn) { _, _ = conn.Write([]byte("!")) }

// Orders have a socket of their own, which is removed with the page's.
func TestOrdersComeOverASocketOfTheirOwn(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	if err := order(path); err == nil || !strings.Contains(err.Error(), "is rig running?") {
		t.Errorf("no rig: %v", err)
	}
	s, err := Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(s.Serve(newPage(t)), s.ServeOrders(greet)); err != nil {
		t.Fatal(err)
	}
	for range 20 { // more than are served at a time
		if err := order(path); err != nil {
			t.Fatal(err)
		}
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if list, err := filepath.Glob(path + "*"); err != nil || len(list) != 1 || list[0] != path+".lock" {
		t.Errorf("left behind: %q, %v", list, err)
	}
}

// Connections that are held open, however many and whatever they send, keep no other order out.
func TestNoConnectionKeepsAnOrderOut(t *testing.T) {
	path := filepath.Join(t.TempDir(), "page")
	s, err := Reserve(path)
	if err != nil {
		t.Fatal(err)
	}
	echo := func(conn net.Conn) { _, _ = io.Copy(conn, conn) }
	if err := errors.Join(s.Serve(newPage(t)), s.ServeOrders(echo)); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	asks := func(conn net.Conn) error {
		answer := make([]byte, 1)
		_, err := conn.Write([]byte("x"))
		if err == nil {
			_, err = io.ReadFull(conn, answer)
		}
		return err
	}
	open := func() net.Conn {
		conn, err := net.Dial("unix", path+".orders")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { conn.Close() })
		if err := asks(conn); err != nil {
			t.Fatal(err)
		}
		return conn
	}
	first, second := open(), open()
	for range maxOrderers - 2 {
		open()
	}
	if err := asks(first); err != nil {
		t.Fatal(err)
	}
	open()
	if err := asks(first); err != nil {
		t.Errorf("the one that had just given an order: %v", err)
	}
	if err := asks(second); err == nil {
		t.Error("the one that was silent longest is still served")
	}
}

// A second user gets no page, and gives no orders, however open the folder and the socket are; where the folder is
// shared, as the service's is with its group, the file system decides.
func TestASecondUserGetsNoPage(t *testing.T) {
	if path := os.Getenv("PAGE_STRANGER"); path != "" {
		p, err := Open(path)
		if err == nil {
			p.Close()
		}
		if want := os.Getenv("PAGE_WANT"); (err == nil) != (want == "page") {
			t.Errorf("want %s, got %v", want, err)
		} else if err := order(path); (err == nil) != (want == "page") {
			t.Errorf("an order: want %s, got %v", want, err)
		}
		return
	}
	root(t)
	p := newPage(t)
	folder := filepath.Join(t.TempDir(), "open") // the folders above are open to all but TempDir's own
	for dir := filepath.Dir(folder); dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	test := filepath.Join(filepath.Dir(folder), "test") // the test's own program lies where others cannot go
	if b, err := os.ReadFile(os.Args[0]); err != nil {
		t.Fatal(err)
	} else if err := os.WriteFile(test, b, 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		name   string
		shared bool
		mode   os.FileMode
		group  uint32
		want   string
	}{
		{"as it is", false, 0, nobody, "refusal"},
		{"socket open to all", false, 0o777, nobody, "refusal"},
		{"shared, not of the group", true, 0, nobody, "refusal"},
		{"shared, of the group", true, 0, 0, "page"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filepath.Join(folder, "page")
			s, err := Reserve(path)
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			s.place.groupReadable = tt.shared
			if err := errors.Join(s.Serve(p), s.ServeOrders(greet)); err != nil {
				t.Fatal(err)
			}
			if tt.mode != 0 {
				if err := errors.Join(os.Chmod(path, tt.mode), os.Chmod(path+".orders", tt.mode)); err != nil {
					t.Fatal(err)
				}
			}
			cmd := exec.Command(test, "-test.run=^TestASecondUserGetsNoPage$")
			cmd.Env = append(os.Environ(), "PAGE_STRANGER="+path, "PAGE_WANT="+tt.want)
			cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: tt.group}}
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
}

// Nobody is told a drive by a stranger who listens where a rig would.
func TestAStrangersSocketIsNotWatched(t *testing.T) {
	if path := os.Getenv("PAGE_IMPOSTOR"); path != "" {
		l, err := net.Listen("unix", path)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("listening")
		conn, err := l.Accept()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = conn.Read(make([]byte, 1)) // until it is closed
		return
	}
	root(t)
	folder := t.TempDir()
	for dir := folder; dir != os.TempDir() && dir != "/"; dir = filepath.Dir(dir) {
		if err := os.Chmod(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	test := filepath.Join(folder, "test")
	b, err := os.ReadFile(os.Args[0])
	if err != nil {
		t.Fatal(err)
	}
	sticky := filepath.Join(folder, "tmp")
	if err := errors.Join(os.WriteFile(test, b, 0o755), os.Mkdir(sticky, 0o755), os.Chmod(sticky, 0o777|os.ModeSticky)); err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(sticky, "page")
	cmd := exec.Command(test, "-test.run=^TestAStrangersSocketIsNotWatched$")
	cmd.Env = append(os.Environ(), "PAGE_IMPOSTOR="+path)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer cmd.Wait()
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	if p, err := Open(path); err == nil || !strings.Contains(err.Error(), "held by user 65534") {
		if err == nil {
			p.Close()
		}
		t.Errorf("got %v", err)
	}
}

// Where a user's rig listens: in the service's folder if it is the user's, in that of the
// session, or in one of the user's own that nobody else can enter.
func TestWhereARigListens(t *testing.T) {
	base := t.TempDir()
	session, service := filepath.Join(base, "session"), filepath.Join(base, "service")
	if err := errors.Join(os.Mkdir(session, 0o700), os.Mkdir(service, 0o750)); err != nil {
		t.Fatal(err)
	}
	own := filepath.Join(base, fmt.Sprintf("rig-%d", os.Geteuid()))
	for _, tt := range []struct {
		name   string
		home   socketFolders
		want   string
		shared bool
	}{
		{"service", socketFolders{service, []string{session}, base}, filepath.Join(service, "page"), true},
		{"session", socketFolders{base + "/none", []string{"", "relative", session}, base}, filepath.Join(session, "rig/page"), false},
		{"temporary", socketFolders{base + "/none", []string{base + "/none"}, base}, filepath.Join(own, "page"), false},
	} {
		p, err := tt.home.find(true)
		if err != nil || p.name != tt.want || p.groupReadable != tt.shared {
			t.Errorf("%s: %+v, %v", tt.name, p, err)
			continue
		}
		if st, err := os.Stat(filepath.Dir(tt.want)); err != nil || st.Mode().Perm()&0o027 != 0 {
			t.Errorf("%s: mode %v, %v", tt.name, st.Mode(), err)
		}
		p.folder.Close()
	}
	temporary := socketFolders{tempFolder: base}
	if err := os.Chmod(own, 0o777); err != nil {
		t.Fatal(err)
	}
	if _, err := temporary.find(true); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("a folder that is open to others: %v", err)
	}
	if err := errors.Join(os.Remove(own), os.Symlink(session, own)); err != nil {
		t.Fatal(err)
	}
	if _, err := temporary.find(true); !errors.Is(err, unix.ENOTDIR) {
		t.Errorf("a symlink in place of the folder: %v", err)
	}
	if os.Geteuid() != 0 {
		return
	}
	if err := errors.Join(os.Remove(own), os.Mkdir(own, 0o700), os.Chown(own, nobody, nobody)); err != nil {
		t.Fatal(err)
	}
	if _, err := temporary.find(true); !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "belongs to user 65534") {
		t.Errorf("another user's folder: %v", err)
	}
}

// A file system that is full has no room for a socket or its lock: that is said, and nothing dies.
func TestAFullFileSystemIsAnError(t *testing.T) {
	root(t)
	folder := t.TempDir()
	if err := unix.Mount("tmpfs", folder, "tmpfs", 0, "size=4k,nr_inodes=2"); err != nil {
		t.Skip("cannot mount: ", err)
	}
	defer unix.Unmount(folder, 0)
	if err := os.WriteFile(filepath.Join(folder, "full"), []byte("x"), 0o600); err != nil {
		t.Fatal(err)
	}
	if s, err := Reserve(filepath.Join(folder, "page")); !errors.Is(err, unix.ENOSPC) {
		if err == nil {
			s.Close()
		}
		t.Errorf("got %v", err)
	}
}
