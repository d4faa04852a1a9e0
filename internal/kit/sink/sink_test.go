package sink

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
)

var errFault = errors.New("fault")

func TestAFileIsThereAsAWholeOrNotAtAll(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.txt")
	fill := func(text string, after error) error {
		return Sink{Command: "test", Path: path}.Fill(func(w io.Writer) error {
			_, err := io.WriteString(w, text)
			return errors.Join(err, after)
		})
	}
	for _, tt := range []struct {
		name, text, want string
		fault            error
	}{
		{"new and faulty", "a", "", errFault},
		{"new", "b", "b", nil},
		{"again and faulty", "c", "b", errFault},
		{"again", "d", "d", nil},
	} {
		if err := fill(tt.text, tt.fault); !errors.Is(err, tt.fault) {
			t.Errorf("%s: error %v", tt.name, err)
		}
		if got, _ := os.ReadFile(path); string(got) != tt.want {
			t.Errorf("%s: the file holds %q, want %q", tt.name, got, tt.want)
		}
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("left behind: %v", list)
	}
}

func TestStdoutIsWrittenTo(t *testing.T) {
	var out bytes.Buffer
	err := Sink{Command: "test", Path: "-", Out: &out}.Fill(func(w io.Writer) error { _, err := io.WriteString(w, "x"); return err })
	if err != nil || out.String() != "x" {
		t.Errorf("%q, %v", out.String(), err)
	}
}

// broken takes nothing.
type broken struct{}

func (broken) Write([]byte) (int, error) {
	return 0, &os.PathError{Op: "write", Path: "/secret", Err: errFault}
}

func TestErrorsNameTheSubjectAndWhatTheUserGave(t *testing.T) {
	tests := []struct {
		name string
		err  error
		want string
	}{
		{"stdout", func() error { _, err := Stdout("test", broken{}).Write(nil); return err }(), "test: stdout cannot be written: fault"},
		{"no folder", Sink{Command: "test", Path: "none/a"}.Fill(nil), "test: none/a cannot be written: no such file or directory"},
		{"a folder", Sink{Command: "test", Path: "none/"}.Fill(nil), "test: none/ cannot be written: is a directory"},
	}
	for _, tt := range tests {
		if tt.err == nil || tt.err.Error() != tt.want {
			t.Errorf("%s: %v, want %s", tt.name, tt.err, tt.want)
		}
	}
}

func TestWaitingEndsWhenTold(t *testing.T) {
	told := make(chan struct{})
	silent, _ := io.Pipe()
	close(told)
	if _, err := Reader(Interrupt{told, errFault}, silent).Read(make([]byte, 1)); err != errFault {
		t.Errorf("error %v", err)
	}
	if v, err := Wait(Interrupt{}, func() (int, error) { return 3, nil }); v != 3 || err != nil {
		t.Errorf("%d, %v", v, err)
	}
}

func TestSameFile(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	if err := os.Symlink("a.svg", in("link.svg")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name, a, b string
		want       bool
	}{
		{"equal", "a.svg", "a.svg", true},
		{"a detour", "a.svg", "./a.svg", true},
		{"a link", in("a.svg"), in("link.svg"), true},
		{"two", in("a.svg"), in("b.svg"), false},
		{"in no folder", "none/a.svg", "none/b.svg", false},
	}
	for _, tt := range tests {
		if got := SameFile(tt.a, tt.b); got != tt.want {
			t.Errorf("%s: %v", tt.name, got)
		}
	}
}
