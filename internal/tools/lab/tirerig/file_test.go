package tirerig

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

const onePoint = "kappa,alpha_rad,gamma_rad,fz_n\n-1,0,0,4000\n"
const oneAnswer = "kappa,alpha_rad,gamma_rad,fz_n,fx_n,fy_n,mx_nm,my_nm,mz_nm\n-1,0,0,4000,-4000,0,0,-14.88,0\n"

func file(t *testing.T, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "p.csv")
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// holds checks that a file is all that its folder has.
func holds(t *testing.T, path, want string) {
	t.Helper()
	got, err := os.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v", path, got, err)
	}
	if list, _ := os.ReadDir(filepath.Dir(path)); len(list) != 1 {
		t.Errorf("beside it are %v", list)
	}
}

func TestBatchFromFileToFile(t *testing.T) {
	in, out := file(t, onePoint), filepath.Join(t.TempDir(), "q.csv")
	if _, err := brush(t).Batch(Batch{From: in, To: out}); err != nil {
		t.Fatal(err)
	}
	holds(t, out, oneAnswer)
}

func TestNewFilesFollowTheUmask(t *testing.T) {
	before := syscall.Umask(0o027)
	defer syscall.Umask(before)
	out := filepath.Join(t.TempDir(), "q.csv")
	if _, err := brush(t).Batch(Batch{From: file(t, onePoint), To: out}); err != nil {
		t.Fatal(err)
	}
	if st, _ := os.Stat(out); st.Mode().Perm() != 0o640 {
		t.Errorf("mode %v", st.Mode())
	}
}

func TestReadOnlyFilesAreNotReplaced(t *testing.T) {
	out := file(t, "old")
	if err := os.Chmod(out, 0o444); err != nil {
		t.Fatal(err)
	}
	_, err := brush(t).Batch(Batch{From: file(t, onePoint), To: out})
	if err == nil || err.Error() != "tire: "+out+" cannot be written: it is read-only; make it writable or name another file" {
		t.Errorf("error %v", err)
	}
	holds(t, out, "old")
}

func TestBatchFromStreamToStream(t *testing.T) {
	var out bytes.Buffer
	if _, err := brush(t).Batch(Batch{From: "-", To: "-", In: strings.NewReader(onePoint), Out: &out}); err != nil || out.String() != oneAnswer {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestBatchMayReplaceItsOwnTable(t *testing.T) {
	path := file(t, onePoint)
	if _, err := brush(t).Batch(Batch{From: path, To: path}); err != nil {
		t.Fatal(err)
	}
	holds(t, path, oneAnswer)
	if st, _ := os.Stat(path); st.Mode().Perm() != 0o600 {
		t.Errorf("mode %v", st.Mode())
	}
}

func TestBatchFollowsALink(t *testing.T) {
	path := file(t, "old")
	link := filepath.Join(t.TempDir(), "link.csv")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	if _, err := brush(t).Batch(Batch{From: "-", To: link, In: strings.NewReader(onePoint)}); err != nil {
		t.Fatal(err)
	}
	holds(t, path, oneAnswer)
	if st, _ := os.Lstat(link); st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link was removed")
	}
}

func TestFaultLeavesTheOldFileAlone(t *testing.T) {
	out := file(t, "old")
	in := file(t, onePoint+"a,0,0,4000\n")
	_, err := brush(t).Batch(Batch{From: in, To: out})
	refused(t, err, in+":3:1: ")
	holds(t, out, "old")
}

func TestBatchFollowsADanglingLink(t *testing.T) {
	path := filepath.Join(t.TempDir(), "q.csv")
	first, second := filepath.Join(t.TempDir(), "first"), filepath.Join(t.TempDir(), "second")
	if err := errors.Join(os.Symlink(path, second), os.Symlink(second, first)); err != nil {
		t.Fatal(err)
	}
	if _, err := brush(t).Batch(Batch{From: "-", To: first, In: strings.NewReader(onePoint)}); err != nil {
		t.Fatal(err)
	}
	holds(t, path, oneAnswer)
	for _, link := range []string{first, second} {
		if st, _ := os.Lstat(link); st.Mode()&fs.ModeSymlink == 0 {
			t.Errorf("the link %s was removed", link)
		}
	}
}

func TestCircularLinksAreRejected(t *testing.T) {
	loop := filepath.Join(t.TempDir(), "loop")
	if err := os.Symlink("loop", loop); err != nil {
		t.Fatal(err)
	}
	if err := run(t, brush(t), Sweep{Kind: "camber"}).WriteCSV(loop, nil); !errors.Is(err, syscall.ELOOP) {
		t.Errorf("error %v", err)
	}
}

// What stdout goes to is the shell's: it is written on, where the shell stands.
func TestOpenDescriptorsAreWrittenOnAndNotReplaced(t *testing.T) {
	tests := []struct {
		name  string
		flags int
	}{
		{"/dev/fd/%d", 0},
		{"/dev/fd/%d", os.O_APPEND},
		{"/proc/self/fd/%d", 0},
		{"/proc/thread-self/fd/%d", os.O_APPEND},
	}
	for _, tt := range tests {
		path := file(t, "")
		f, err := os.OpenFile(path, os.O_WRONLY|tt.flags, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteString("before\n"); err != nil {
			t.Fatal(err)
		}
		if _, err := brush(t).Batch(Batch{From: "-", To: fmt.Sprintf(tt.name, f.Fd()), In: strings.NewReader(onePoint)}); err != nil {
			t.Error(err)
		}
		if _, err := f.WriteString("after\n"); err != nil {
			t.Fatal(err)
		}
		f.Close()
		holds(t, path, "before\n"+oneAnswer+"after\n")
	}
}

func TestNoFileIsCreatedInDev(t *testing.T) {
	const missing = "/dev/rig-no-such-device"
	defer os.Remove(missing) // if it is there after all
	err := run(t, brush(t), Sweep{Kind: "camber"}).WriteCSV(missing, nil)
	if err == nil || err.Error() != "tire: "+missing+" cannot be written: no such file or directory" {
		t.Errorf("error %v", err)
	}
}

func TestDevicesAreWrittenIntoAndNotReplaced(t *testing.T) {
	if _, err := brush(t).Batch(Batch{From: "-", To: os.DevNull, In: strings.NewReader(onePoint)}); err != nil {
		t.Error(err)
	}
	if st, err := os.Stat(os.DevNull); err != nil || st.Mode()&fs.ModeDevice == 0 {
		t.Fatalf("%s is %v now, %v", os.DevNull, st, err)
	}
	_, err := brush(t).Batch(Batch{From: "-", To: "/dev/full", In: strings.NewReader(onePoint)})
	if err == nil || !strings.Contains(err.Error(), "tire: /dev/full cannot be written: no space left on device") {
		t.Errorf("error %v", err)
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	_, err := brush(t).Batch(Batch{From: "none.csv", To: "-"})
	refused(t, err, "none.csv: cannot be read: no such file or directory")
	_, err = brush(t).Batch(Batch{From: file(t, onePoint), To: "none/q.csv"})
	if err == nil || err.Error() != "tire: none/q.csv cannot be written: no such file or directory" {
		t.Errorf("error %v", err)
	}
}
