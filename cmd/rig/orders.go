package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/framepage"
	"rig.example/rig/internal/core/guard"
	"rig.example/rig/internal/live/operator"
	"rig.example/rig/internal/tools/watch"
)

// orderFlags are the flags of the commands that give an order to a running rig.
type orderFlags struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Give the order to the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object with the state that the rig has then."`
}

type stopCmd struct{ orderFlags }

func (c *stopCmd) Run(s *streams) error {
	return c.give(s, operator.Message{Order: operator.EmergencyStop}, "stopped", func(f *frame.Frame) bool { return f.State == uint64(guard.Stopped) })
}

type pauseCmd struct {
	orderFlags
	Off bool `help:"End the pause."`
}

func (c *pauseCmd) Run(s *streams) error {
	if c.Off {
		return c.give(s, operator.Message{Order: operator.Resume}, "goes on", func(f *frame.Frame) bool { return f.Flags&frame.Paused == 0 })
	}
	return c.give(s, operator.Message{Order: operator.Pause}, "paused", func(f *frame.Frame) bool { return f.Flags&frame.Paused != 0 })
}

type confirmCmd struct{ orderFlags }

func (c *confirmCmd) Run(s *streams) error {
	return c.give(s, operator.Message{Order: operator.ClearFault}, "confirmed", func(f *frame.Frame) bool { return !waitsForConfirmation(f) })
}

// waitsForConfirmation reports whether the rig does nothing until the operator confirms.
func waitsForConfirmation(f *frame.Frame) bool {
	const waiting = frame.ConfirmAfterGap | frame.ConfirmInterlock | frame.ConfirmWindowLost | frame.ConfirmPlatform
	return f.State == uint64(guard.Stopped) || f.State == uint64(guard.Fault) || f.Flags&waiting != 0
}

// given is the result of an order.
type given struct {
	Done     bool   `json:"done"`               // the rig does what was ordered
	State    string `json:"state"`              // its safety state; "ended" for a command without a drive, which a stop ends
	Notice   string `json:"notice,omitempty"`   // what it tells the driver
	Command  string `json:"command,omitempty"`  // that was stopped, such as "rig run"
	Platform string `json:"platform,omitempty"` // where the platform stands after a stop; "" without one
}

// stateEnded is the state of a command without a drive after a stop.
const stateEnded = "ended"

var errNoEffect = errors.New("the order had no effect")

// give gives an order to a running rig and waits until done reports that it has obeyed. A command without a drive, which
// takes no order but a stop, says itself that it has obeyed.
func (c *orderFlags) give(s *streams, order operator.Message, text string, done func(*frame.Frame) bool) error {
	rig, err := c.dial()
	if err != nil {
		return err
	}
	defer rig.Close()
	if rig.Page != nil {
		return c.giveDrive(s, rig, order, text, done)
	}
	words, err := operator.Ask(rig, order)
	if err != nil {
		return err
	}
	command, place, _ := strings.Cut(words, ": ")
	return c.print(s, text, given{Done: true, State: stateEnded, Command: command, Platform: place})
}

// giveDrive gives an order to a drive and waits for its effect: two seconds at most, or five for a factor, which moves
// slowly.
func (c *orderFlags) giveDrive(s *streams, rig framepage.Orders, order operator.Message, text string, done func(*frame.Frame) bool) error {
	p, f := rig.Page, frame.Frame{}
	if order.Order == operator.ClearFault && p.Read(&f) && !waitsForConfirmation(&f) {
		return fmt.Errorf("nothing waits for a confirmation: the rig is %s", watch.StateName(f.State))
	}
	before := p.Seq()
	command, err := operator.Ask(rig, order)
	if err != nil {
		return err
	}
	const poll = 20 * time.Millisecond
	longest := 2 * time.Second
	if order.Factor != "" {
		longest = 5 * time.Second
	}
	obeyed := false
	for waited := time.Duration(0); waited < longest && !obeyed; waited += poll {
		time.Sleep(poll)
		obeyed = p.Seq() > before+1 && p.Read(&f) && done(&f) // the tick after the order
	}
	result := given{Done: obeyed, State: watch.StateName(f.State), Notice: p.Notice()}
	if scene, ok := p.Scene(); ok && order == (operator.Message{Order: operator.EmergencyStop}) {
		result.Command, result.Platform = command, watch.PlaceInFrame(scene.Names.Actuators, &f)
	}
	if obeyed || c.JSON {
		err = c.print(s, text, result)
	}
	if !obeyed {
		err = errors.Join(err, fmt.Errorf("%w within %v: the rig is %s; %s", errNoEffect, longest, result.State, orderRemedy(result.Notice)))
	}
	return err
}

// print prints the result of an order that was obeyed, as a line or as JSON.
func (c *orderFlags) print(s *streams, text string, result given) error {
	if c.JSON {
		return json.NewEncoder(s.out).Encode(result)
	}
	if result.Command != "" {
		text += " " + result.Command
	}
	if result.State == stateEnded {
		text += ", which has ended"
	} else {
		text += "; the rig is " + result.State
	}
	if result.Platform != "" {
		text += "; " + result.Platform
	}
	_, err := fmt.Fprintln(s.out, text)
	return err
}

var (
	errNothingRuns = errors.New("nothing runs here that takes orders: no drive, and no other command that moves something")
	errStarting    = errors.New("a command of rig starts or ends here and takes no orders; nothing was ordered; try again, or Ctrl-C in its terminal")
)

// dial connects to the running rig. A rig that takes no orders yet, because it starts, has two seconds for that.
func (c *orderFlags) dial() (framepage.Orders, error) {
	const poll, longest = 20 * time.Millisecond, 2 * time.Second
	for waited := time.Duration(0); ; waited += poll {
		rig, err := framepage.DialOrders(c.PageSocket)
		switch {
		case err == nil:
			return rig, nil
		case !framepage.Runs(c.PageSocket, err):
			return framepage.Orders{}, errNothingRuns
		case !errors.Is(err, fs.ErrNotExist):
			return framepage.Orders{}, err
		case waited >= longest:
			return framepage.Orders{}, errStarting
		}
		time.Sleep(poll)
	}
}

// orderRemedy returns what to do about an order without effect.
func orderRemedy(notice string) string {
	if notice == "" {
		return "its log says why"
	}
	return "it says: " + notice
}
