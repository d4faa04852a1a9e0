package host

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
	"rig.example/rig/road"
)

// Limits of orders.
const (
	shortestCountdown, longestCountdown, usualCountdown = 3, 600, 10 // [s]
	maxPenalty                                          = 3600       // [s]
	maxNotice                                           = 200        // [bytes]
)

// order carries out an order of race control.
func (h *Host) order(data []byte) session.Answer {
	var o session.Order
	if len(data) > maxMessage || json.Unmarshal(data, &o) != nil {
		return session.Answer{Error: "the order cannot be read; all must have the same build of rig"}
	}
	if o.Do == "stop" {
		return h.stop()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if o.Do == "revoke" {
		return h.answer(fmt.Sprintf("the key of %s is revoked", o.Member), h.revoke(o.Member))
	}
	e, text, err := h.eventOf(&o)
	if err == nil {
		err = h.storeOrder(e)
	}
	return h.answer(text, err)
}

// answer tells race control what its order did, or why it did nothing.
func (h *Host) answer(text string, err error) session.Answer {
	if err != nil {
		return session.Answer{Error: err.Error()}
	}
	h.Log.Info("race control", "cause", text)
	return session.Answer{Text: text}
}

// stop asks every rig for its software stop at once, before anything is waited for, and keeps that. It is in force if it cannot
// be kept too: then only a host that is started again does not know of it.
func (h *Host) stop() session.Answer {
	e := session.Event{ID: "stop-" + rand.Text(), Kind: session.Stopped, At: h.now()}
	unsent := h.bus.Publish(session.HostEventSubject(h.Session), e)
	h.mu.Lock()
	defer h.mu.Unlock()
	if err := h.apply("", &e); err != nil { // the board repeats it
		h.Log.Error("stop", "error", err)
	}
	text := "every rig is asked for its software stop"
	if unkept := h.keep(context.Background(), &e); unkept != nil {
		h.Log.Error("stop not kept", "error", unkept)
		if unsent != nil {
			return h.answer("", errors.Join(unsent, unkept))
		}
		text += ", but " + unkept.Error()
	}
	return h.answer(text, nil)
}

// storeOrder keeps the event of an order. A penalty that is given again, after it was unknown whether it is kept, is the same
// one; other orders say the same if they are given twice.
func (h *Host) storeOrder(e session.Event) error {
	if p := &h.unclear; e.Kind == session.Penalized {
		if p.Member == e.Member && p.Seconds == e.Seconds && p.Text == e.Text {
			e = *p
		}
		e.ID, e.At = cmp.Or(e.ID, rand.Text()), cmp.Or(e.At, h.now())
		h.unclear = e
	}
	err := h.store(context.Background(), e)
	if err == nil && e.Kind == session.Penalized {
		h.unclear = session.Event{}
	}
	return err
}

// eventOf returns the event that an order makes, and what it does in words.
func (h *Host) eventOf(o *session.Order) (e session.Event, text string, err error) {
	phase := h.race.Phase(h.now())
	if phase == session.Ended {
		return e, "", fmt.Errorf("session %s has ended", h.Session)
	}
	switch o.Do {
	case "grid":
		return h.grid(o, phase)
	case "start", "abort":
		return h.start(o, phase)
	case "pause", "resume":
		return h.pause(o, phase)
	case "end":
		return session.Event{Kind: session.Closed}, "the session has ended; the results are final", nil
	case "flag":
		if !slices.Contains([]session.Flag{session.NoFlag, session.Green, session.Yellow, session.Red, session.Checkered}, o.Flag) {
			return e, "", errors.New("flag: must be none, green, yellow, red or checkered")
		}
		return session.Event{Kind: session.Shown, Flag: o.Flag}, "flag: " + flagName(o.Flag), nil
	case "notice":
		return h.say(o)
	case "penalty":
		return h.penalty(o)
	}
	return e, "", errors.New("unknown order; all must have the same build of rig")
}

func flagName(f session.Flag) string {
	if f == session.NoFlag {
		return "none"
	}
	return string(f)
}

// grid fixes the order of the grid: first the rigs that are named, then the others by their best practice laps.
func (h *Host) grid(o *session.Order, phase session.Phase) (e session.Event, text string, err error) {
	if phase != session.Practice && phase != session.Grid {
		return e, "", fmt.Errorf("the grid cannot change in phase %s", phase)
	}
	order, known := []session.ID{}, h.race.ByPractice(h.now())
	for _, id := range o.Order {
		if !slices.Contains(known, id) {
			return e, "", h.unknown(id)
		}
		if slices.Contains(order, id) {
			return e, "", fmt.Errorf("grid: %s is named twice", id)
		}
		order = append(order, id)
	}
	for _, id := range known {
		if !slices.Contains(order, id) {
			order = append(order, id)
		}
	}
	if len(order) == 0 {
		return e, "", errors.New("grid: no rig has joined")
	}
	if behind, _ := road.GridDistance(len(order)); behind > h.Circuit.Length/2 {
		return e, "", fmt.Errorf("grid: %d cars need %.0f m, more than half of the circuit", len(order), behind)
	}
	return session.Event{Kind: session.Gridded, Order: order}, "grid: " + session.JoinIDs(order), nil
}

// start fixes the time of the start, or calls it off.
func (h *Host) start(o *session.Order, phase session.Phase) (e session.Event, text string, err error) {
	if o.Do == "abort" {
		if phase != session.Countdown {
			return e, "", errors.New("no start is counted down")
		}
		return session.Event{Kind: session.Aborted}, "the start is called off; the grid stays", nil
	}
	in := o.In
	if in == 0 {
		in = usualCountdown
	}
	switch {
	case phase == session.Practice:
		return e, "", errors.New("fix the grid first: rig session grid")
	case phase != session.Grid:
		return e, "", fmt.Errorf("a race cannot start in phase %s", phase)
	case h.race.Paused():
		return e, "", errors.New("the session is paused: rig session resume")
	case !(in >= shortestCountdown && in <= longestCountdown):
		return e, "", fmt.Errorf("start: in %g s: must be %d to %d s", in, shortestCountdown, longestCountdown)
	}
	return session.Event{Kind: session.Scheduled, Start: h.now() + int64(in*second)}, fmt.Sprintf("the race starts in %g s", in), nil
}

func (h *Host) pause(o *session.Order, phase session.Phase) (e session.Event, text string, err error) {
	switch paused := h.race.Paused(); {
	case phase == session.Countdown:
		return e, "", errors.New("a countdown cannot be paused: rig session abort")
	case o.Do == "pause" && paused:
		return e, "", errors.New("the session is paused already")
	case o.Do == "resume" && !paused:
		return e, "", errors.New("the session is not paused")
	case paused:
		return session.Event{Kind: session.ResumedAt}, "the session goes on; each driver resumes the own rig", nil
	}
	return session.Event{Kind: session.PausedAt}, "the session is paused", nil
}

func (h *Host) say(o *session.Order) (e session.Event, text string, err error) {
	entry, _ := h.race.Entry(o.Member)
	switch {
	case o.Member != "" && entry == nil:
		return e, "", h.unknown(o.Member)
	case !plain(o.Text, maxNotice) || o.Text == "":
		return e, "", fmt.Errorf("notice: must be 1 to %d bytes, without control characters", maxNotice)
	}
	return session.Event{Kind: session.Said, Member: o.Member, Text: o.Text}, "notice: " + o.Text, nil
}

func (h *Host) penalty(o *session.Order) (e session.Event, text string, err error) {
	entry, _ := h.race.Entry(o.Member)
	text = o.Text
	if text == "" {
		text = "penalty"
	}
	switch {
	case entry == nil:
		return e, "", h.unknown(o.Member)
	case !(math.Abs(o.Second) <= maxPenalty) || o.Second == 0:
		return e, "", fmt.Errorf("penalty: %g s: must be up to %d s, and less than 0 to take one back", o.Second, maxPenalty)
	case !plain(text, maxNotice):
		return e, "", fmt.Errorf("penalty: the reason must have at most %d bytes, without control characters", maxNotice)
	}
	return session.Event{Kind: session.Penalized, Member: o.Member, Seconds: o.Second, Text: text}, fmt.Sprintf("%s: %s, %+g s", o.Member, text, o.Second), nil
}

// unknown returns the error for a member that is no rig of the session.
func (h *Host) unknown(id session.ID) error {
	return fmt.Errorf("%s is no rig of this session: there are %s", printable.Name(string(id)), session.JoinIDs(h.race.ByPractice(h.now())))
}

// revoke takes away a member's keys, to the bus and of its packets.
func (h *Host) revoke(id session.ID) error {
	if err := h.Revoke(id); err != nil {
		return err
	}
	for _, e := range h.race.Entries() {
		if e.ID == id {
			h.expel(e)
		}
	}
	return nil
}
