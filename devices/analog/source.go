package analog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/internal/axis"
)

// profileCodes are the names under which profiles keep the pedals of a
// converter, which has no names of its own.
var profileCodes = [axis.Count]string{"ABS_GAS", "ABS_BRAKE", "ABS_RZ", "ABS_Z"}

// identity tells one chip from all others, for its profile.
func (a ADC) identity() calib.Identity { return calib.Identity{Name: a.Chip, Uniq: a.chipKey()} }

// measured returns how a's counts turn into a position: its profile's, or
// else the configuration's.
func measured(a ADC, store calib.Store) (calib.Axis, error) {
	plain := calib.Axis{Rest: a.Rest, Press: a.Press}
	if store.Dir == "" {
		return plain, nil
	}
	p, err := store.Pedals(a.identity())
	if errors.Is(err, fs.ErrNotExist) {
		return plain, nil
	}
	if err != nil {
		return plain, err
	}
	if x := [axis.Count]*calib.Axis{p.Throttle, p.Brake, p.Clutch, p.Handbrake}[a.pedal()]; x != nil {
		return *x, nil
	}
	return plain, nil
}

// Source is a converter under calibration. It implements calib.Source.
type Source struct {
	adcs []ADC
	chip chip
	next time.Time
}

// Open opens the chip that the pedal called axis is on, with all that
// list puts on it. list must be valid. Close it afterwards.
func Open(list ADCs, axis string) (*Source, error) { return openSource(list, axis, openChip) }

func openSource(list ADCs, axis string, open func([]ADC) (chip, error)) (*Source, error) {
	s := &Source{next: time.Now()}
	key := ""
	for _, a := range list {
		if a.Axis == axis {
			key = a.settled().chipKey()
		}
	}
	for _, a := range list {
		if a = a.settled(); a.chipKey() == key {
			s.adcs = append(s.adcs, a)
		}
	}
	if len(s.adcs) == 0 {
		return nil, fmt.Errorf("pedals: no adc is the %s; add one to pedals.adc", axis)
	}
	var err error
	if s.chip, err = open(s.adcs); err != nil {
		return nil, fmt.Errorf("pedals: %s: %w", key, err)
	}
	return s, nil
}

// Close closes the chip.
func (s *Source) Close() error { return s.chip.close() }

// Device returns the chip's identity.
func (s *Source) Device() calib.Identity { return s.adcs[0].identity() }

// Axes returns the chip's axes, under the names that profiles know them by.
func (s *Source) Axes() []calib.AxisRange {
	var list []calib.AxisRange
	for _, a := range s.adcs {
		low, high := a.reach()
		list = append(list, calib.AxisRange{Name: profileCodes[a.pedal()], Min: low, Max: high})
	}
	return list
}

// reach is what a sensor uses of the chip's range [counts]: a potentiometer
// its supply, and a load cell's bridge, however hard a foot pushes, a small part.
func (a ADC) reach() (low, high int32) {
	if a.Chip == chip711 {
		return -1 << 19, 1 << 19
	}
	if a.bridge() {
		return -1 << 12, 1 << 12
	}
	return 0, int32(min(a.supplyCounts(), math.MaxInt16))
}

// sourcePeriod is what procedures expect between two snapshots.
const sourcePeriod = 10 * time.Millisecond

// Next waits until 10 ms after the last snapshot, or longer where the chip is
// slower, and writes every axis' counts.
func (s *Source) Next(raw []int32) error {
	time.Sleep(time.Until(s.next))
	s.next = latest(s.next.Add(sourcePeriod), time.Now())
	for i, pin := range s.chip.pins {
		v, err := pin.Read()
		if err != nil {
			return fmt.Errorf("pedals: %s: %w", s.adcs[i].Axis, err)
		}
		raw[i] = v.Raw
	}
	return nil
}

// Pulse refuses: pedals do not push.
func (s *Source) Pulse(float64, time.Duration) error {
	return errors.New("pedals: a converter has no force feedback")
}

var _ calib.Source = (*Source)(nil)

// Chips returns the names of the pedals on each chip, in the order of list.
func (list ADCs) Chips() [][]string {
	var chips [][]string
	place := map[string]int{}
	for _, a := range list {
		key := a.settled().chipKey()
		i, ok := place[key]
		if !ok {
			i, place[key] = len(chips), len(chips)
			chips = append(chips, nil)
		}
		chips[i] = append(chips[i], a.Axis)
	}
	return chips
}
