package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"rig.example/rig/internal/frame"
	"rig.example/rig/internal/guard"
	"rig.example/rig/internal/operator"
	"rig.example/rig/internal/page"
	"rig.example/rig/internal/remote"
	"rig.example/rig/internal/watch"
)

// orderFlags are the flags of the commands that give an order to a running rig.
type orderFlags struct {
	PageSocket string `name:"page" hidden:"" default:"" help:"Give the order to the rig at this socket."`
	JSON       bool   `name:"json" help:"Print one JSON object with the state that the rig has then."`
}

type stopCmd struct{ orderFlags }

func (c *stopCmd) Run(s *streams) error {
	return c.give(s, remote.Message{Order: operator.EmergencyStop}, "stopped", func(f *frame.Frame) bool { return f.State == uint64(guard.Stopped) })
}

type pauseCmd struct {
	orderFlags
	Off bool `help:"End the pause."`
}

func (c *pauseCmd) Run(s *streams) error {
	if c.Off {
		return c.give(s, remote.Message{Order: operator.Resume}, "goes on", func(f *frame.Frame) bool { return f.Flags&frame.Paused == 0 })
	}
	return c.give(s, remote.Message{Order: operator.Pause}, "paused", func(f *frame.Frame) bool { return f.Flags&frame.Paused != 0 })
}

type confirmCmd struct{ orderFlags }

func (c *confirmCmd) Run(s *streams) error {
	return c.give(s, remote.Message{Order: operator.ClearFault}, "confirmed", func(f *frame.Frame) bool { return !waitsForConfirmation(f) })
}

// waitsForConfirmation reports whether the rig does nothing until the operator confirms.
func waitsForConfirmation(f *frame.Frame) bool {
	const waiting = frame.ConfirmAfterGap | frame.ConfirmInterlock | frame.ConfirmWindowLost | frame.ConfirmPlatform
	return f.State == uint64(guard.Stopped) || f.State == uint64(guard.Fault) || f.Flags&waiting != 0
}

// given is the result of an order.
type given struct {
	Done   bool   `json:"done"`             // the rig does what was ordered
	State  string `json:"state"`            // its safety state
	Notice string `json:"notice,omitempty"` // what it tells the driver
}

var errNoEffect = errors.New("the order had no effect")

// give gives an order to a running rig and waits until done reports that it has obeyed: two seconds at most, or five for
// a factor, which moves slowly.
func (c *orderFlags) give(s *streams, order remote.Message, text string, done func(*frame.Frame) bool) error {
	conn, err := page.DialOrders(c.PageSocket)
	if err != nil {
		return err
	}
	defer conn.Close()
	p, err := page.Open(c.PageSocket)
	if err != nil {
		return err
	}
	defer p.Close()
	var f frame.Frame
	if order.Order == operator.ClearFault && p.Read(&f) && !waitsForConfirmation(&f) {
		return fmt.Errorf("nothing waits for a confirmation: the rig is %s", watch.StateName(f.State))
	}
	before := p.Seq()
	if err := remote.Send(conn, order); err != nil {
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
	result := given{obeyed, watch.StateName(f.State), p.Notice()}
	if c.JSON {
		err = json.NewEncoder(s.out).Encode(result)
	} else if obeyed {
		_, err = fmt.Fprintf(s.out, "%s; the rig is %s\n", text, result.State)
	}
	if !obeyed {
		err = errors.Join(err, fmt.Errorf("%w within %v: the rig is %s; %s", errNoEffect, longest, result.State, orderRemedy(result.Notice)))
	}
	return err
}

// orderRemedy returns what to do about an order without effect.
func orderRemedy(notice string) string {
	if notice == "" {
		return "its log says why"
	}
	return "it says: " + notice
}
