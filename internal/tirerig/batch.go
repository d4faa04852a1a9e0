package tirerig

import (
	"errors"
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Batch says where a table of points comes from and where the answers go.
type Batch struct {
	From, To  string // files; "-" is In and Out
	In        io.Reader
	Out       io.Writer
	Terminal  io.Writer       // where progress is shown; nil for none
	Interrupt <-chan struct{} // ends the work when it closes
}

// Batch evaluates a table of points from file to file; a fault leaves no file
// behind.
func (b *Bench) Batch(s Batch) error {
	in, name, size := s.In, "stdin", int64(-1)
	if s.From != "-" {
		f, err := os.Open(s.From)
		if err != nil {
			return unreadable(s.From, err)
		}
		defer f.Close()
		in, name = f, s.From
		if st, err := f.Stat(); err == nil && st.Mode().IsRegular() {
			size = st.Size()
		}
	}
	in = interruptible{in, s.Interrupt}
	if s.Terminal != nil {
		bar := progress(s.Terminal, size)
		defer bar.Exit()
		in = io.TeeReader(in, bar)
	}
	return writeTo(s.To, s.Out, func(w io.Writer) error {
		_, err := b.Points(name, in, w)
		return err
	})
}

func progress(w io.Writer, size int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("points"),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionClearOnFinish())
}

var errInterrupted = errors.New("tire: interrupted before the end of the table; run it again")

// interruptible is a reader that fails once it is told to.
type interruptible struct {
	r    io.Reader
	told <-chan struct{}
}

func (i interruptible) Read(p []byte) (int, error) {
	select {
	case <-i.told:
		return 0, errInterrupted
	default:
		return i.r.Read(p)
	}
}
