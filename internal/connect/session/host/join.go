package host

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"unicode/utf8"

	"rig.example/rig/internal/connect/session"
	"rig.example/rig/internal/kit/printable"
)

const (
	maxMessage = 64 << 10 // of a Join, an Order or a Query [bytes]
	maxDriver  = 24       // [bytes]
	maxWord    = 64       // length of other names [bytes]
)

// join lets a rig in. If it is in already it gets a new key, and the old one ends.
func (h *Host) join(member session.ID, data []byte) session.Joined {
	h.mu.Lock()
	defer h.mu.Unlock()
	joined, err := h.admit(member, data)
	if err != nil {
		h.Log.Warn("rig refused", "device", string(member), "error", err)
		return session.Joined{Refused: err.Error(), Session: h.Session}
	}
	h.Log.Info("rig joined", "device", string(member))
	return joined
}

func (h *Host) admit(member session.ID, data []byte) (joined session.Joined, err error) {
	now := h.now()
	if err := session.CheckID(string(member)); err != nil {
		return joined, err
	}
	var j session.Join
	if len(data) > maxMessage || json.Unmarshal(data, &j) != nil {
		return joined, errors.New("what this rig asks cannot be read; all must have the same build of rig")
	}
	if err := h.check(&j); err != nil {
		return joined, err
	}
	slot, free := h.race.Slot(member)
	entry, left := h.race.Entry(member)
	ended := h.race.Phase(now) == session.Ended
	switch {
	case ended && entry == nil:
		return joined, fmt.Errorf("session %s has ended; host another one", h.Session)
	case !free:
		return joined, fmt.Errorf("session %s is full: it has %d rigs", h.Session, session.MaxMembers)
	}
	if !ended && (left || !reflect.DeepEqual(entry, &j)) { // of one that has ended, the results keep the data that they have
		if err := h.enter(member, slot, &j); err != nil {
			return joined, err
		}
	}
	if entry == nil {
		h.relay.drop(slot) // of a rig that had the slot before
	}
	key := make([]byte, 32)
	_, _ = rand.Read(key) // never fails
	h.epoch++
	if err := h.relay.setKey(slot, key, h.epoch); err != nil {
		return joined, err
	}
	return session.Joined{
		Session: h.Session, Slot: slot, Grid: h.race.GridPlace(member), Key: key, Epoch: h.epoch,
		UDP: h.Packets, Rules: h.race.Rules(), Phase: h.race.Phase(now),
	}, nil
}

// joins counts the joins of a rig that changed its data, since a session time [ns].
type joins struct {
	since int64
	count int
}

// enter keeps that a rig has joined with new data. One rig alone must not fill what the host keeps.
func (h *Host) enter(member session.ID, slot int, j *session.Join) error {
	const most, within = 20, 60 * second
	if !h.race.MayEnter(member) {
		return fmt.Errorf("session %s has kept too many joins with another driver or car: no more are taken; host another session", h.Session)
	}
	c, now := h.joins[member], h.now()
	if c == nil || now >= c.since+within {
		c = &joins{since: now}
		h.joins[member] = c
	}
	if c.count++; c.count > most {
		return fmt.Errorf("%s joins with another driver or car too often: %d times a minute are allowed", member, most)
	}
	return h.store(context.Background(), session.Event{Kind: session.Entered, Member: member, Slot: slot, Entry: j})
}

// check returns why a rig cannot take part, in words for its driver.
func (h *Host) check(j *session.Join) error {
	size := []float64{j.Size.Length, j.Size.Width, j.Size.Height, j.Size.CGHeight, j.Size.CGToFront, j.Size.Wheelbase, j.Size.WheelRadius}
	own := h.race.Circuit()
	switch {
	case j.Protocol != session.Protocol:
		return fmt.Errorf("this rig speaks protocol %d, the host %d: install the same build of rig on both", j.Protocol, session.Protocol)
	case j.Circuit.Name != own.Name:
		return fmt.Errorf("this rig drives on %s, the session on %s: start it with --track %s", printable.Name(j.Circuit.Name), printable.Name(own.Name), printable.Name(own.Name))
	case j.Circuit.Digest != own.Digest:
		return fmt.Errorf("circuit %s is another one here than at the host: copy its file from there, and compare the builds of rig", printable.Name(own.Name))
	case !plain(j.Driver, maxDriver) || j.Driver == "":
		return fmt.Errorf("driver: must be a name of 1 to %d bytes, without control characters", maxDriver)
	case !plain(j.Car, maxWord) || !plain(j.Build, 2*maxWord):
		return errors.New("car or build: the name is too long or has control characters")
	case slices.ContainsFunc(size, func(v float64) bool { return !(v >= 0 && v <= 30) }):
		return errors.New("the car's size is not possible")
	}
	return nil
}

// plain reports whether a text can be shown to others as it is.
func plain(text string, limit int) bool {
	return len(text) <= limit && utf8.ValidString(text) && printable.Line(text) == text
}
