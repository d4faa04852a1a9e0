package check

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"rig.example/rig/calib"
	"rig.example/rig/internal/kit/evdev"
)

// SummaryLine describes a part of the rig in words.
type SummaryLine struct {
	Part     Part   `json:"part"`
	Text     string `json:"text"`
	Problems int    `json:"problems"` // errors and warnings of this part
}

// State returns "ok", or how many problems the part has.
func (l SummaryLine) State() string {
	switch l.Problems {
	case 0:
		return "ok"
	case 1:
		return "1 problem"
	}
	return fmt.Sprintf("%d problems", l.Problems)
}

// summary returns the parts of the rig with their problems.
func (s *scene) summary() []SummaryLine {
	problems := map[Part]int{}
	for _, f := range s.findings {
		if f.Level != Note {
			problems[s.partOf(f)]++
		}
	}
	c := &s.cfg
	list := []SummaryLine{
		{Part: Configuration, Text: cmp.Or(s.options.File, "built-in defaults")},
		{Part: Car, Text: c.Car},
		{Part: Track, Text: c.Track + ", " + c.Surface},
		{Part: Wheel, Text: s.wheelText()},
		{Part: Pedals, Text: s.pedalsText()},
		{Part: Platform, Text: MotionResolved(*c)},
		{Part: Window, Text: s.windowText()},
	}
	for _, f := range s.options.Features {
		if f.Summary != nil {
			list = append(list, SummaryLine{Part: Part(f.Part), Text: f.Summary(c)})
		}
	}
	list = append(list, SummaryLine{Part: RealTime, Text: s.realtimeText()}, SummaryLine{Part: Recordings, Text: s.recordingsText()})
	for i := range list {
		list[i].Problems = problems[list[i].Part]
	}
	return list
}

// partOf returns the part of the rig to which a finding belongs: some checks are made of several parts.
func (s *scene) partOf(f Finding) Part {
	switch f.Where {
	case "pedals":
		return Pedals
	case "platform":
		return Platform
	}
	return catalogEntry(f.Check).Part
}

// wheelText returns what the wheel is, and where its rim stands if it is calibrated.
func (s *scene) wheelText() string {
	if s.wheel.Path == "" {
		return "none"
	}
	text := s.wheel.Name + " at " + s.wheel.Path
	if s.wheel.Driver != "" {
		text += ", driver " + s.wheel.Driver
	}
	p, err := s.store.Wheel(calib.IdentityOf(s.wheel))
	if s.storeErr != nil || err != nil {
		return text + ", not calibrated"
	}
	text += ", calibrated on " + p.Date.Format("2006-01-02")
	if code, err := evdev.AbsCode(p.Axis); err == nil {
		if axis, ok := s.wheel.Axis(code); ok && axis.Value != 0 { // 0: it may not have reported yet
			text += fmt.Sprintf(", stands %s the center", angleText(p.Angle(axis.Value)*degreesPerRadian))
		}
	}
	return text
}

// pedalsText returns what the pedals are.
func (s *scene) pedalsText() string {
	var parts []string
	if n := len(s.cfg.Pedals.ADC); n > 0 {
		parts = append(parts, fmt.Sprintf("%d on converters", n))
	}
	if s.pedals.Path != "" {
		text := s.pedals.Name + " at " + s.pedals.Path
		if _, err := s.store.Pedals(calib.IdentityOf(s.pedals)); s.storeErr != nil || err != nil {
			text += ", not calibrated"
		}
		parts = append(parts, text)
	}
	return cmp.Or(strings.Join(parts, "; "), "none")
}

// windowText returns how large the window is and what draws it.
func (s *scene) windowText() string {
	d := s.cfg.Display
	if !d.Window {
		return "none"
	}
	text := fmt.Sprintf("%d×%d", d.Width, d.Height)
	if s.renderer != "" {
		text += ", drawn by " + s.renderer
	}
	return text
}

// realtimeText returns what the loop asks of the kernel.
func (s *scene) realtimeText() string {
	c := s.cfg.Realtime
	text := "ordinary priority"
	if c.Priority > 0 {
		text = fmt.Sprintf("priority %d", c.Priority)
	}
	if c.CPU >= 0 {
		text += fmt.Sprintf(" on cpu %d", c.CPU)
	}
	return text + ", kernel " + s.kernel
}

// recordingsText returns where recordings are kept, and for how long there is room.
func (s *scene) recordingsText() string {
	folder, err := recordingsFolder(s.cfg.Record)
	if err != nil {
		return "none"
	}
	text := filepath.Clean(folder)
	if free, ok := freeBytes(nearestFolder(folder)); ok {
		text += ", room for " + durationText(minutesLeft(free, s.cfg.Record))
	}
	return text
}

// durationText returns a time [min] in words.
func durationText(minutes float64) string {
	if minutes < 120 {
		return fmt.Sprintf("%.0f minutes", minutes)
	}
	return fmt.Sprintf("%.0f hours", minutes/60)
}
