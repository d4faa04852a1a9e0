package testrun

import (
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// Progress returns a function that shows on a terminal which share is done and how long the rest takes, and one that clears the
// display. With a nil terminal, show is nil and done does nothing.
func Progress(terminal io.Writer, what string) (show func(share float64), done func()) {
	if terminal == nil {
		return nil, func() {}
	}
	const steps = 1000
	bar := progressbar.NewOptions(steps,
		progressbar.OptionSetWriter(terminal),
		progressbar.OptionSetDescription(what),
		progressbar.OptionSetWidth(20),
		progressbar.OptionSetPredictTime(true),
		progressbar.OptionThrottle(100*time.Millisecond),
		progressbar.OptionSetSpinnerChangeInterval(0),
		progressbar.OptionClearOnFinish())
	show = func(share float64) {
		if share > 0 && share < 1 {
			bar.Set(int(share * steps))
		}
	}
	return show, func() { bar.Exit(); bar.Clear() }
}
