package main

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"github.com/alecthomas/kong"

	"rig.example/rig/calib/dialog"
	"rig.example/rig/internal/files/config"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/live/rig"
)

// realFlag is a flag that may have a value: which devices of a demo are real.
type realFlag rig.Real

// IsBool tells that the flag needs no value.
func (realFlag) IsBool() bool { return true }

// Decode reads the value behind =, if there is one.
func (f *realFlag) Decode(ctx *kong.DecodeContext) error {
	which := "platform"
	if ctx.Scan.Peek().Type == kong.FlagValueToken {
		which, _ = ctx.Scan.Pop().Value.(string)
	}
	switch which {
	case "platform", "wheel", "all":
		f.Platform, f.Wheel = which != "wheel", which != "platform"
		return nil
	}
	return fmt.Errorf("%q: must be platform, wheel or all", which)
}

// real returns the devices of a demo that are real.
func (c *runCmd) real() rig.Real {
	r := rig.Real(c.Real)
	r.IgnoreInterlock = c.IgnoreInterlock
	return r
}

// checkReal returns an error for flags that do not fit --real.
func (c *runCmd) checkReal() error {
	wrong := func(flag, text string) error { return &config.Problem{File: flag, Text: text} }
	switch real := c.real(); {
	case c.IgnoreInterlock && !real.Any():
		return wrong("--ignore-interlock", "it needs --demo --real; a drive with a person obeys belt and door")
	case !real.Any():
		return nil
	case !c.Demo:
		return wrong("--real", "it needs --demo: a driver model drives, with nobody on the seat; leave it out to drive yourself")
	case c.HighTorque:
		return wrong("--high-torque", fmt.Sprintf("a driver model turns a real rim with at most %d N·m; leave it out", rig.RealMaxTorque))
	}
	return nil
}

// checkRealPlatform returns an error if the platform is to be real and none is configured.
func (c *runCmd) checkRealPlatform(cfg config.Config) error {
	if !c.Real.Platform || cfg.Motion.Protocol != "" {
		return nil
	}
	return &config.Problem{File: "--real", Text: "no platform is configured; set motion.protocol and motion.port, or give --real=wheel"}
}

// watcher asks the operator in the terminal whether real devices may move, and makes each line that is typed
// afterwards an emergency stop.
type watcher struct {
	in      *bufio.Reader
	ui      *dialog.Dialog
	out     io.Writer
	signals <-chan operator.Order
	orders  chan operator.Order // for the drive: those of the signals and of the lines
	done    chan struct{}       // closed when the command ends
}

// watchTerminal returns a watcher and a function that ends it. Orders of the signals pass once the operator has
// agreed.
func watchTerminal(in io.Reader, out io.Writer, signals <-chan operator.Order) (w *watcher, end func()) {
	lines := bufio.NewReader(in)
	w = &watcher{in: lines, ui: dialog.New(lines, out, false), out: out, signals: signals, orders: make(chan operator.Order, 4), done: make(chan struct{})}
	return w, func() { close(w.done) }
}

// confirm asks, and returns an error unless the operator typed yes. An order before the answer is a no.
func (w *watcher) confirm(text string) error {
	fmt.Fprint(w.out, text)
	ctx, cancel := context.WithCancelCause(context.Background())
	defer cancel(nil)
	answered, ended := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(ended)
		select {
		case <-w.signals:
			cancel(operator.ErrInterrupted)
		case <-answered:
		}
	}()
	err := w.ui.Agree(ctx, "", "Is everybody away, and may it move now?")
	close(answered)
	<-ended
	if err == nil && ctx.Err() != nil {
		err = operator.ErrInterrupted
	}
	if err != nil {
		return fmt.Errorf("nothing was moved: %w", err)
	}
	go w.passSignals()
	go w.stopByLine()
	return nil
}

// passSignals passes the orders of the signals to the drive.
func (w *watcher) passSignals() {
	for {
		select {
		case o := <-w.signals:
			w.order(o)
		case <-w.done:
			return
		}
	}
}

// stopByLine orders an emergency stop for whatever is typed. The end of the input is none, because a script that
// typed yes may have ended.
func (w *watcher) stopByLine() {
	typed := make([]byte, 256)
	for {
		n, err := w.in.Read(typed)
		if n > 0 {
			w.order(operator.EmergencyStop)
		}
		if err != nil {
			return
		}
	}
}

// order gives the drive an order.
func (w *watcher) order(o operator.Order) {
	select {
	case w.orders <- o:
	case <-w.done:
	}
}
