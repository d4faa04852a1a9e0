package estop_test

import (
	"fmt"
	"time"

	"periph.io/x/conn/v3/gpio"

	"rig.example/rig/devices/estop"
)

// closedContact is a line whose contact stays closed: it always reads high.
type closedContact struct{ gpio.PinIn }

func (closedContact) String() string                      { return "GPIO17" }
func (closedContact) In(gpio.Pull, gpio.Edge) error       { return nil }
func (closedContact) Read() gpio.Level                    { return gpio.High }
func (closedContact) WaitForEdge(wait time.Duration) bool { time.Sleep(wait); return false }

// A switch counts as pressed until it was seen released for the time of debouncing.
func ExampleSwitch_State() {
	cfg := estop.DefaultConfig()
	cfg.Pin = "GPIO17"
	start := time.Now()
	s, err := estop.New(cfg, []gpio.PinIn{closedContact{}}, nil, func() time.Duration { return time.Since(start) })
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	stopped, cause := s.State()
	fmt.Println(stopped, cause)
	// Output: true emergency stop not seen released yet
}
