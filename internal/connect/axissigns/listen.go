package axissigns

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"rig.example/rig/internal/core/follow"
	"rig.example/rig/sim"
)

// Packets is another simulator.
type Packets interface {
	Latest(*follow.Sample)
	Status() string
	Notice() string // of the senders while one is followed, or ""
}

// Listener follows packets without a platform.
type Listener struct {
	packets  Packets
	follower *follow.Follower
	state    follow.State
	sample   follow.Sample
	motion   follow.Motion
}

// NewListener returns a listener.
func NewListener(p Packets, cfg follow.Config) *Listener {
	return &Listener{packets: p, follower: follow.New(cfg, sim.Dt)}
}

// Step advances by some milliseconds and returns the motion.
func (l *Listener) Step(ticks int) *follow.Motion {
	for range ticks {
		l.packets.Latest(&l.sample)
		l.motion = l.follower.Step(&l.state, &l.sample)
	}
	return &l.motion
}

// period is the time between two steps, and ticksPerPeriod their number of milliseconds.
const (
	period         = 5 * time.Millisecond
	ticksPerPeriod = 5
)

// line is what Watch prints as JSON.
type line struct {
	Status     string     `json:"status"`
	Words      []string   `json:"words"`
	Acc        [3]float64 `json:"acceleration_body_m_s2"`
	Rate       [3]float64 `json:"angular_rate_body_rad_s"`
	Roll       float64    `json:"roll_rad"`
	Pitch      float64    `json:"pitch_rad"`
	Speed      float64    `json:"speed_m_s"`
	PacketRate float64    `json:"packets_per_s"`
	Delay      float64    `json:"delay_s"`
	Lost       uint64     `json:"lost_packets"`
	Notice     string     `json:"notice,omitempty"`
}

// Watch calls show ten times a second with what the car does, until ctx ends.
func (l *Listener) Watch(ctx context.Context, show func(text string, object any) error) error {
	tick := time.NewTicker(period)
	defer tick.Stop()
	for n := 0; ; n++ {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
		}
		m := l.Step(ticksPerPeriod)
		if n%20 != 0 {
			continue
		}
		if err := show(l.text(m), line{m.Status.String(), append([]string{}, m.Words()...), m.Acc, m.Rate, m.Roll, m.Pitch, m.Vel[0], m.PacketRate, m.Delay, m.Lost, l.packets.Notice()}); err != nil {
			return err
		}
	}
}

// text returns a line for people.
func (l *Listener) text(m *follow.Motion) string {
	if m.Status == follow.Silent {
		return l.packets.Status()
	}
	const kmh, degrees = 3.6, 57.29577951308232
	notice := l.packets.Notice()
	if notice != "" {
		notice = " | " + notice
	}
	return fmt.Sprintf("%s: %s | %.0f km/h, %+.1f forward %+.1f left %+.1f up m/s², %+.1f° nose up %+.1f° right down | %.0f packets/s, delay %.0f ms, %d lost%s",
		m.Status, strings.Join(m.Words(), ", "), m.Vel[0]*kmh, m.Acc[0], m.Acc[1], m.Acc[2], -m.Pitch*degrees, m.Roll*degrees, m.PacketRate, 1000*m.Delay, m.Lost, notice)
}

// asked is what the operator does in the game to confirm an axis.
var asked = [follow.Axes]string{
	follow.Surge: "accelerate, and brake", follow.Sway: "turn left and right, fast enough to feel it", follow.Heave: "drive over a bump or a crest",
	follow.Roll: "stand or drive across a slope", follow.Pitch: "drive up or down a hill", follow.Yaw: "turn left and right",
}

// Confirm lets the operator do in the game what shows each axis, and asks whether the words are right. It returns the names of
// the axes that were confirmed. An empty answer leaves an axis as it is.
func (l *Listener) Confirm(ctx context.Context, in io.Reader, out io.Writer) (axes []string, err error) {
	answers := make(chan string)
	go func() {
		lines := bufio.NewScanner(in)
		for lines.Scan() {
			answers <- strings.ToLower(strings.TrimSpace(lines.Text()))
		}
		close(answers)
	}()
	for axis, name := range follow.AxisNames {
		fmt.Fprintf(out, "\n%s: %s. rig says what it hears; type y if that is what you do, Enter to leave this axis at a tenth.\n", name, asked[axis])
		answer, heard, err := l.hear(ctx, axis, answers, out)
		switch isYes := answer == "y" || answer == "yes"; {
		case err != nil:
			return axes, err
		case isYes && !heard:
			fmt.Fprintln(out, "  rig has heard nothing of it: not confirmed")
		case isYes:
			axes = append(axes, name)
		}
	}
	return axes, nil
}

// hear prints the words of an axis as they change, until there is an answer. heard reports whether there was one.
func (l *Listener) hear(ctx context.Context, axis int, answers <-chan string, out io.Writer) (answer string, heard bool, err error) {
	tick := time.NewTicker(period)
	defer tick.Stop()
	last := ""
	for {
		select {
		case <-ctx.Done():
			return "", heard, context.Cause(ctx)
		case answer, ok := <-answers:
			if !ok {
				return "", heard, io.ErrUnexpectedEOF
			}
			return answer, heard, nil
		case <-tick.C:
		}
		m := l.Step(ticksPerPeriod)
		if word := m.Word(axis); word != last && m.Share == 1 {
			if last = word; word != "" {
				heard = true
				fmt.Fprintln(out, "  "+word)
			}
		}
	}
}
