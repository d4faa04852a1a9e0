package analog

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/analog"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/devices/v3/hx711"
)

// openHX711 opens a load cell amplifier on two lines.
func openHX711(a ADC) (chip, error) {
	clock, err := findLine(a.Clock)
	if err != nil {
		return chip{}, err
	}
	data, err := findLine(a.Data)
	if err != nil {
		return chip{}, err
	}
	if clock == data {
		return chip{}, fmt.Errorf("%s and %s are one line; clock and data need a line each", a.Clock, a.Data)
	}
	free := func() error { clock.Close(); data.Close(); return nil }
	pin, err := newLoadCell(clock, data, a)
	if err != nil {
		return chip{}, errors.Join(fmt.Errorf("lines %s and %s: %w", a.Clock, a.Data, err), free())
	}
	return chip{[]analog.PinADC{pin}, free}, nil
}

// loadCell reads an HX711 when it has something new, and knows when it is not there.
type loadCell struct {
	*hx711.Dev
	wait time.Duration // for the next conversion, and not longer
}

// newLoadCell returns the amplifier on clock and data. a is settled and valid.
func newLoadCell(clock gpio.PinOut, data gpio.PinIn, a ADC) (*loadCell, error) {
	dev, err := hx711.New(clock, pulledUp{data})
	if err != nil {
		return nil, err
	}
	c := &loadCell{dev, max(200*time.Millisecond, time.Duration(4/a.Rate*float64(time.Second)))}
	if err := c.await(); err != nil {
		return nil, err
	}
	mode, _ := a.mode()
	return c, dev.SetInputMode(mode)
}

// pulledUp is a data line that stays high, which is "not ready", when its wire
// is cut. Its edges are not asked for: those of the data bits themselves queue
// up, and would be taken for the next conversion's.
type pulledUp struct{ gpio.PinIn }

// In makes the line an input.
func (p pulledUp) In(gpio.Pull, gpio.Edge) error {
	if p.PinIn.In(gpio.PullUp, gpio.NoEdge) == nil {
		return nil
	}
	return p.PinIn.In(gpio.PullNoChange, gpio.NoEdge) // not every chip has resistors
}

var (
	errSilent = errors.New("no answer: the data line stays high; check the wires and the supply")
	errLow    = errors.New("no answer: the data line stays low; check the wires and the supply")
)

// readyLook is the time between two looks: a small part of the shortest conversion.
const readyLook = time.Millisecond

// await waits until a conversion is ready.
func (c *loadCell) await() error {
	for end := time.Now().Add(c.wait); !c.IsReady(); time.Sleep(readyLook) {
		if time.Now().After(end) {
			return errSilent
		}
	}
	return nil
}

// Read waits for the next conversion and returns it. The chip raises its data
// line after the last bit; a line that stays low has no chip.
func (c *loadCell) Read() (analog.Sample, error) {
	if err := c.await(); err != nil {
		return analog.Sample{}, err
	}
	s, err := c.Dev.Read()
	if err == nil && c.IsReady() {
		err = errLow
	}
	return s, err
}
