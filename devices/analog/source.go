package analog

import (
	"errors"
	"fmt"
	"io/fs"
	"math"
	"time"

	"rig.example/rig/calib"
	"rig.example/rig/devices/axis"
)

// profileCodes are the axis names under which profiles store the pedals of a converter, whose inputs have
// no such names.
var profileCodes = [axis.Count]string{"ABS_GAS", "ABS_BRAKE", "ABS_RZ", "ABS_Z"}

// identity returns the identity of the chip, by which its profile is found.
func (a ADC) identity() calib.Identity { return calib.Identity{Name: a.Chip, Uniq: a.chipKey()} }

// calibratedEnds returns the rest and press counts of a's profile, or else those of the configuration.
func calibratedEnds(a ADC, store calib.Store) (calib.Axis, error) {
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
	if x := p.Axes()[a.axisIndex()]; x != nil {
		return *x, nil
	}
	return plain, nil
}

// Source samples a converter for its calibration. It implements calib.Source.
type Source struct {
	adcs []ADC
	chip chip
	next time.Time
}

// Open opens the chip on which list has the named axis, with all axes on that chip. list must be valid.
// Call Close afterwards.
func Open(list ADCs, axis string) (*Source, error) { return openSource(list, axis, openChip) }

func openSource(list ADCs, axis string, open func([]ADC) (chip, error)) (*Source, error) {
	s := &Source{next: time.Now()}
	key := ""
	for _, a := range list {
		if a.Axis == axis {
			key = a.withDefaults().chipKey()
		}
	}
	for _, a := range list {
		if a = a.withDefaults(); a.chipKey() == key {
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

// Axes returns the chip's axes, under the names that profiles use for them.
func (s *Source) Axes() []calib.AxisRange {
	var list []calib.AxisRange
	for _, a := range s.adcs {
		low, high := a.usedRange()
		list = append(list, calib.AxisRange{Name: profileCodes[a.axisIndex()], Min: low, Max: high})
	}
	return list
}

// usedRange returns the part of the chip's range that a sensor uses [counts]: for a potentiometer 0 to the
// supply; for the bridge of a load cell a small part around 0, however hard a foot pushes.
func (a ADC) usedRange() (low, high int32) {
	if a.Chip == chipHX711 {
		return -1 << 19, 1 << 19
	}
	if a.isBridge() {
		return -1 << 12, 1 << 12
	}
	return 0, int32(min(a.supplyCounts(), math.MaxInt16))
}

// sourcePeriod is the time between two snapshots, as calib.Source requires.
const sourcePeriod = 10 * time.Millisecond

// Next waits until 10 ms after the last snapshot, or longer if the chip is slower, and writes the counts
// of every axis to raw.
func (s *Source) Next(raw []int32) error {
	time.Sleep(time.Until(s.next))
	s.next = later(s.next.Add(sourcePeriod), time.Now())
	for i, pin := range s.chip.pins {
		v, err := pin.Read()
		if err != nil {
			return fmt.Errorf("pedals: %s: %w", s.adcs[i].Axis, err)
		}
		raw[i] = v.Raw
	}
	return nil
}

// Pulse returns an error, because pedals have no motor.
func (s *Source) Pulse(float64, time.Duration) error {
	return errors.New("pedals: a converter has no force feedback")
}

var _ calib.Source = (*Source)(nil)

// Chips returns the axes on each chip, in the order of list.
func (list ADCs) Chips() [][]string {
	var chips [][]string
	place := map[string]int{}
	for _, a := range list {
		key := a.withDefaults().chipKey()
		i, ok := place[key]
		if !ok {
			i, place[key] = len(chips), len(chips)
			chips = append(chips, nil)
		}
		chips[i] = append(chips[i], a.Axis)
	}
	return chips
}
