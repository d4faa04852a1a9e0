package analog

import (
	"errors"
	"fmt"
	"time"

	"periph.io/x/conn/v3/analog"
	"periph.io/x/conn/v3/gpio"
	"periph.io/x/devices/v3/hx711"
)

// openHX711 opens a load cell amplifier on two GPIO lines.
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
	closeLines := func() error { clock.Close(); data.Close(); return nil }
	pin, err := newLoadCell(clock, data, a)
	if err != nil {
		return chip{}, errors.Join(fmt.Errorf("lines %s and %s: %w", a.Clock, a.Data, err), closeLines())
	}
	return chip{[]analog.PinADC{pin}, closeLines}, nil
}

// loadCell is an HX711 with a limit on the wait for a conversion, so that a missing chip is an error.
type loadCell struct {
	*hx711.Dev
	sampleTimeout time.Duration // longest wait for the next conversion
}

// newLoadCell returns the amplifier on clock and data. a must be valid and have its defaults filled in.
func newLoadCell(clock gpio.PinOut, data gpio.PinIn, a ADC) (*loadCell, error) {
	dev, err := hx711.New(clock, pullUpPin{data})
	if err != nil {
		return nil, err
	}
	c := &loadCell{dev, max(200*time.Millisecond, time.Duration(4/a.Rate*float64(time.Second)))}
	if err := c.waitReady(); err != nil {
		return nil, err
	}
	mode, _ := a.inputMode()
	return c, dev.SetInputMode(mode)
}

// pullUpPin is a data line with a pull-up resistor. A high level means "not ready", so the line of a cut
// wire never looks ready. Edges of the line are not requested, because those of the data bits queue up and
// would be read as the start of the next conversion.
type pullUpPin struct{ gpio.PinIn }

// In makes the line an input, with a pull-up resistor if the GPIO chip has one. It ignores its arguments.
func (p pullUpPin) In(gpio.Pull, gpio.Edge) error {
	if p.PinIn.In(gpio.PullUp, gpio.NoEdge) == nil {
		return nil
	}
	return p.PinIn.In(gpio.PullNoChange, gpio.NoEdge)
}

var (
	errStaysHigh = errors.New("no answer: the data line stays high; check the wires and the supply")
	errStaysLow  = errors.New("no answer: the data line stays low; check the wires and the supply")
)

// readyPollInterval is the time between two checks for a conversion, a small part of the shortest one.
const readyPollInterval = time.Millisecond

// waitReady waits until a conversion is ready.
func (c *loadCell) waitReady() error {
	for end := time.Now().Add(c.sampleTimeout); !c.IsReady(); time.Sleep(readyPollInterval) {
		if time.Now().After(end) {
			return errStaysHigh
		}
	}
	return nil
}

// Read waits for the next conversion and returns it. A chip raises its data line after the last bit, so
// a line that stays low means that there is no chip.
func (c *loadCell) Read() (analog.Sample, error) {
	if err := c.waitReady(); err != nil {
		return analog.Sample{}, err
	}
	s, err := c.Dev.Read()
	if err == nil && c.IsReady() {
		err = errStaysLow
	}
	return s, err
}
