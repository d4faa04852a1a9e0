package tirerig

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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
	if err := brush(t).Batch(Batch{From: in, To: out}); err != nil {
		t.Fatal(err)
	}
	holds(t, out, oneAnswer)
	if st, _ := os.Stat(out); st.Mode().Perm() != 0o644 {
		t.Errorf("mode %v", st.Mode())
	}
}

func TestBatchFromStreamToStream(t *testing.T) {
	var out bytes.Buffer
	if err := brush(t).Batch(Batch{From: "-", To: "-", In: strings.NewReader(onePoint), Out: &out}); err != nil || out.String() != oneAnswer {
		t.Errorf("%q, %v", out.String(), err)
	}
}

func TestBatchMayReplaceItsOwnTable(t *testing.T) {
	path := file(t, onePoint)
	if err := brush(t).Batch(Batch{From: path, To: path}); err != nil {
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
	if err := brush(t).Batch(Batch{From: "-", To: link, In: strings.NewReader(onePoint)}); err != nil {
		t.Fatal(err)
	}
	holds(t, path, oneAnswer)
	if st, _ := os.Lstat(link); st.Mode()&fs.ModeSymlink == 0 {
		t.Error("the link is gone")
	}
}

func TestFaultLeavesTheOldFileAlone(t *testing.T) {
	out := file(t, "old")
	in := file(t, onePoint+"a,0,0,4000\n")
	refused(t, brush(t).Batch(Batch{From: in, To: out}), in+":3:1: ")
	holds(t, out, "old")
}

func TestInterruptedBatchLeavesNothing(t *testing.T) {
	told := make(chan struct{})
	close(told)
	out := file(t, "old")
	err := brush(t).Batch(Batch{From: "-", To: out, In: manyPoints(1e6), Interrupt: told})
	if !errors.Is(err, errInterrupted) {
		t.Errorf("error %v", err)
	}
	holds(t, out, "old")
}

func TestDevicesAreWrittenIntoAndNotReplaced(t *testing.T) {
	if err := brush(t).Batch(Batch{From: "-", To: os.DevNull, In: strings.NewReader(onePoint)}); err != nil {
		t.Error(err)
	}
	if st, err := os.Stat(os.DevNull); err != nil || st.Mode()&fs.ModeDevice == 0 {
		t.Fatalf("%s is %v now, %v", os.DevNull, st, err)
	}
	err := brush(t).Batch(Batch{From: "-", To: "/dev/full", In: strings.NewReader(onePoint)})
	if err == nil || !strings.Contains(err.Error(), "tire: /dev/full cannot be written: no space left on device") {
		t.Errorf("error %v", err)
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	refused(t, brush(t).Batch(Batch{From: "none.csv", To: "-"}), "none.csv: cannot be read: no such file or directory")
	err := brush(t).Batch(Batch{From: file(t, onePoint), To: "none/q.csv"})
	if err == nil || err.Error() != "tire: none/q.csv cannot be written: no such file or directory" {
		t.Errorf("error %v", err)
	}
}

func TestProgressIsShownOnATerminal(t *testing.T) {
	var shown bytes.Buffer
	in := file(t, onePoint+strings.Repeat("0,0,0,4000\n", 50_000))
	if err := brush(t).Batch(Batch{From: in, To: os.DevNull, Terminal: &shown}); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(shown.String(), "points") {
		t.Errorf("shown %q", shown.String())
	}
}
