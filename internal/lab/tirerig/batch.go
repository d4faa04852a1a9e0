package tirerig

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"rig.example/rig/internal/sink"
	"rig.example/rig/internal/source"
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
func (b *Bench) Batch(s Batch) (report Report, err error) {
	in, name, size, err := s.open()
	if err != nil {
		return Report{}, err
	}
	defer in.Close()
	var table io.Reader = sink.Reader(s.interrupt(), in)
	if s.Terminal != nil {
		bar := progress(s.Terminal, size)
		defer func() { bar.Exit(); bar.Clear() }()
		table = io.TeeReader(table, bar)
	}
	err = sink.Sink{By: subject, Path: s.To, Out: s.Out, Interrupt: s.interrupt()}.Fill(func(w io.Writer) error {
		var err error
		report, err = b.Points(name, table, w)
		return err
	})
	return report, err
}

func (s Batch) interrupt() sink.Interrupt {
	return sink.Interrupt{Told: s.Interrupt, Err: errInterrupted}
}

// open returns the table with its name and its size, -1 if that is not known.
func (s Batch) open() (in io.ReadCloser, name string, size int64, err error) {
	if s.From == "-" {
		return io.NopCloser(s.In), "stdin", -1, nil
	}
	const endless = 1 << 62 // it is worked on line by line
	if in, size, err = source.Stream(s.From, endless); err != nil {
		return nil, "", 0, unreadable(s.From, err)
	}
	return in, s.From, size, nil
}

// progress is a bar that fits on a line of 80. It moves with what is read alone:
// a clock's hand would draw on after the end.
func progress(w io.Writer, size int64) *progressbar.ProgressBar {
	return progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetDescription("points"),
		progressbar.OptionSetWidth(20),
		progressbar.OptionShowBytes(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionClearOnFinish())
}
