package motion

import (
	"math"
	"strings"
	"testing"
	"time"

	"rig.example/rig/devices/motion/wire"
)

func TestUnknownProtocolsAreRefused(t *testing.T) {
	if _, err := newCodec(Config{Protocol: "smc4"}); err == nil || !strings.Contains(err.Error(), `"smc4"`) {
		t.Errorf("got %v", err)
	}
}

// A report about an axis that does not exist is dropped, and NaN
// is no position.
func TestHearingKeepsWhatItCanUse(t *testing.T) {
	b := newSharedStatus()
	nan := math.NaN()
	for _, a := range []wire.Answer{
		{Kind: wire.AnswerPosition, Axis: wire.Axes, Position: 0.3, Temperature: 20},
		{Kind: wire.AnswerPosition, Axis: -2, Position: 0.3, Temperature: nan},
		{Kind: wire.AnswerPosition, Axis: -1, Position: 0.3, Temperature: nan},
		{Kind: wire.AnswerPosition, Axis: 1, Position: nan, Temperature: nan},
		{Kind: wire.AnswerPosition, Axis: 2, Position: 0.4, Temperature: nan},
		{Kind: wire.AnswerText, Axis: -1, Temperature: 35},
		{Kind: wire.AnswerStatus, Axis: -1, Fault: wire.FaultTemperature, Temperature: nan},
		{Kind: wire.AnswerStatus, Axis: 0, Fault: wire.FaultSpike, Temperature: 60},
	} {
		b.store(a, time.Second)
	}
	s := b.snapshot()
	if !math.IsNaN(s.Feedback[0]) || !math.IsNaN(s.Feedback[1]) || s.Feedback[2] != 0.4 || s.Answers != 8 {
		t.Errorf("positions %v after %d answers", s.Feedback, s.Answers)
	}
	if s.Temperature[0] != 60 || s.Temperature[7] != 35 {
		t.Errorf("temperatures %v", s.Temperature)
	}
	if got := b.reportedFaults(); got != wire.FaultTemperature|wire.FaultSpike {
		t.Errorf("tells %s", got)
	}
	b.store(wire.Answer{Kind: wire.AnswerStatus, Axis: -1, Temperature: nan}, time.Second)
	b.store(wire.Answer{Kind: wire.AnswerFault, Axis: 3, Fault: wire.FaultDrive, Temperature: nan}, time.Second)
	if got := b.reportedFaults(); got != wire.FaultDrive|wire.FaultSpike {
		t.Errorf("then tells %s", got)
	}
}
