package tirerig

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"rig.example/rig/internal/kit/sink"
	"rig.example/rig/internal/kit/userfile"
)

// Batch says where a table of points is read from and where the results are written.
type Batch struct {
	From, To  string // paths; "-" is In and Out
	In        io.Reader
	Out       io.Writer
	Terminal  io.Writer       // shows progress; may be nil
	Interrupt <-chan struct{} // closing it ends the work
}

// Batch evaluates a table of points from file to file. After an error there is no output file.
func (b *Bench) Batch(s Batch) (report Report, err error) {
	in, name, size, err := s.open()
	if err != nil {
		return Report{}, err
	}
	defer in.Close()
	var table io.Reader = sink.Reader(s.sinkInterrupt(), in)
	if s.Terminal != nil {
		bar := progress(s.Terminal, size)
		defer func() { bar.Exit(); bar.Clear() }()
		table = io.TeeReader(table, bar)
	}
	err = sink.Sink{Command: programName, Path: s.To, Out: s.Out, Interrupt: s.sinkInterrupt()}.Fill(func(w io.Writer) error {
		var err error
		report, err = b.EvaluateTable(name, table, w)
		return err
	})
	return report, err
}

// sinkInterrupt returns the interrupt for readers and writers of package sink.
func (s Batch) sinkInterrupt() sink.Interrupt {
	return sink.Interrupt{Done: s.Interrupt, Err: errInterrupted}
}

// open returns the table with its name and its size, -1 for an unknown size.
func (s Batch) open() (in io.ReadCloser, name string, size int64, err error) {
	if s.From == "-" {
		return io.NopCloser(s.In), "stdin", -1, nil
	}
	const noLimit = 1 << 62 // the file may have any size [bytes], because it is read line by line
	if in, size, err = userfile.Stream(s.From, noLimit); err != nil {
		return nil, "", 0, readError(s.From, err)
	}
	return in, s.From, size, nil
}

// progress returns a progress bar for a line of 80 characters. It is drawn only when bytes are read and
// has no timer, because a timer would still draw it after the end.
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
