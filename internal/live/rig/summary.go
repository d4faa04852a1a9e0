package rig

import (
	"fmt"
	"io"
	"strings"
	"time"

	"rig.example/rig/internal/core/loop"
	"rig.example/rig/internal/files/drivers"
)

// Quantiles holds minimum, quantiles and maximum of a duration [µs].
type Quantiles struct {
	Min  float64 `json:"min"`
	P50  float64 `json:"p50"`
	P99  float64 `json:"p99"`
	P999 float64 `json:"p99_9"`
	Max  float64 `json:"max"`
}

func quantiles(h *loop.Histogram) Quantiles {
	us := func(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1e3 }
	return Quantiles{us(h.Min()), us(h.Quantile(0.5)), us(h.Quantile(0.99)), us(h.Quantile(0.999)), us(h.Max())}
}

// Timing holds the timing of a loop: late and skipped periods, wake-up lateness, and duration of a tick.
type Timing struct {
	Ticks    uint64    `json:"ticks"`
	Missed   uint64    `json:"missed"`
	Dropped  uint64    `json:"dropped"`
	Lateness Quantiles `json:"lateness_us"`
	Tick     Quantiles `json:"tick_us"`
}

// NewTiming sums up a loop's statistics.
func NewTiming(st *loop.Stats) Timing {
	return Timing{st.Ticks, st.Missed, st.Dropped, quantiles(&st.Lateness), quantiles(&st.Cost)}
}

// Print writes t as text.
func (t Timing) Print(w io.Writer) {
	fmt.Fprintf(w, "ticks %d, missed %d, dropped %d\n", t.Ticks, t.Missed, t.Dropped)
	fmt.Fprintf(w, "%-14s %9s %9s %9s %9s %9s\n", "µs", "min", "p50", "p99", "p99.9", "max")
	for _, row := range []struct {
		name string
		q    Quantiles
	}{{"wake lateness", t.Lateness}, {"tick cost", t.Tick}} {
		fmt.Fprintf(w, "%-14s %9.1f %9.1f %9.1f %9.1f %9.1f\n", row.name, row.q.Min, row.q.P50, row.q.P99, row.q.P999, row.q.Max)
	}
}

// Report is the part of a service in the summary, which JSON can express too.
type Report interface {
	Print(w io.Writer) // writes it as text
}

// Summary is the result of a drive.
type Summary struct {
	Timing                           // Ticks is the number of the car's steps
	Distance        float64          `json:"distance_m"`
	Fuel            float64          `json:"fuel_used_l"`
	Energy          float64          `json:"energy_used_kwh"` // from the battery of an electric car
	TopSpeed        float64          `json:"top_speed_mps"`
	MaxRimTorque    float64          `json:"max_rim_torque_nm"`
	MaxTotalTorque  float64          `json:"max_total_torque_nm"` // torque at the rim plus the highest that the wheel's own effects could add
	MaxPlatformRoll float64          `json:"max_platform_roll_deg"`
	StateHash       string           `json:"state_hash"`
	HashTarget      string           `json:"state_hash_target"` // operating system and processor for which state_hash is valid
	ExitState       string           `json:"exit_state"`
	Real            string           `json:"real,omitempty"` // devices of a demo that were real: platform, wheel or all
	LoopTicks       uint64           `json:"loop_ticks"`     // all ticks, including those before and after the drive
	DisplayRestarts int              `json:"display_restarts"`
	Pictures        *PicturesSummary `json:"pictures,omitempty"` // missing without a window
	Sound           Report           `json:"sound,omitempty"`    // missing where nothing played
	Platform        *PlatformSummary `json:"platform,omitempty"` // missing without a platform
	Tuning          []string         `json:"tuning,omitempty"`   // lines of the table [tuning] that preserves the driver's changes
	LapCount        int              `json:"lap_count"`
	BestLap         *float64         `json:"best_lap_s"`        // null without a valid lap
	Laps            []LapTime        `json:"laps"`              // the latest finished laps, oldest first
	Driver          *drivers.Summary `json:"driver,omitempty"`  // missing where nobody in particular drove
	Session         Report           `json:"session,omitempty"` // missing without a session
	Notes           []string         `json:"notes,omitempty"`   // real-time settings that the kernel refused, and what to do
}

// Print writes s as text.
func (s Summary) Print(w io.Writer) {
	printLaps(w, s.Laps, s.BestLap)
	fmt.Fprintf(w, "drove %.1f m on %s, top speed %.1f km/h, ended %s\n", s.Distance, s.consumedText(), s.TopSpeed*3.6, s.ExitState)
	fmt.Fprintf(w, "rim torque up to %.2f N·m%s, platform roll up to %.2f°\n", s.MaxRimTorque, s.ownEffectsText(), s.MaxPlatformRoll)
	fmt.Fprintln(w, s.punctuality())
	if s.Real != "" {
		fmt.Fprintf(w, "a driver model moved the real devices: %s\n", s.Real)
	}
	if s.Pictures != nil {
		s.Pictures.print(w)
	}
	if s.Sound != nil {
		s.Sound.Print(w)
	}
	if s.Platform != nil {
		s.Platform.print(w)
	}
	if s.Session != nil {
		s.Session.Print(w)
	}
	if s.Driver == nil || !s.Driver.Kept {
		fmt.Fprint(w, printTuning(s.Tuning))
	}
	if s.Driver == nil {
		return
	}
	if text := s.Driver.String(); text != "" {
		fmt.Fprintln(w, text)
	}
}

// punctuality says how many ticks the loop began on time, and how late the latest was.
func (s *Summary) punctuality() string {
	all := s.LoopTicks + s.Dropped
	onTime := all - min(s.Missed, all)
	return fmt.Sprintf("%s of %s ticks on time (%.1f %%), the latest %.1f ms late", grouped(onTime), grouped(all), 100*float64(onTime)/float64(max(all, 1)), s.Lateness.Max/1e3)
}

// grouped returns a number with a space before each group of three digits.
func grouped(n uint64) string {
	if n < 1000 {
		return fmt.Sprint(n)
	}
	return fmt.Sprintf("%s %03d", grouped(n/1000), n%1000)
}

// PicturesSummary is how evenly the window showed pictures since it opened; if it was opened again, since the last time.
type PicturesSummary struct {
	Refresh float64 `json:"refresh_hz"`   // 0 if unknown
	P50     float64 `json:"frame_ms_p50"` // time from picture to picture
	P99     float64 `json:"frame_ms_p99"`
	Dropped uint64  `json:"dropped"`      // refreshes without a new picture
	Age     float64 `json:"state_age_ms"` // of the car's state when its picture was shown, before it is extrapolated
}

// picturesSummary returns the window's part of the summary, or nil if it showed no pictures.
func (r *Rig) picturesSummary() *PicturesSummary {
	if r.page == nil {
		return nil
	}
	d := r.page.Display()
	if d.RunP50 == 0 {
		return nil
	}
	return &PicturesSummary{d.Refresh, d.RunP50 * 1e3, d.RunP99 * 1e3, d.Dropped, d.Age * 1e3}
}

func (p *PicturesSummary) print(w io.Writer) {
	fmt.Fprintf(w, "pictures: every %.1f ms (p99 %.1f), %d refreshes without a new one, car's state %.1f ms old when shown\n", p.P50, p.P99, p.Dropped, p.Age)
}

// ownEffectsText returns the highest torque including the wheel's own effects, or "" if it has none.
func (s Summary) ownEffectsText() string {
	if s.MaxTotalTorque <= s.MaxRimTorque {
		return ""
	}
	return fmt.Sprintf(" (with the wheel's own effects up to %.2f)", s.MaxTotalTorque)
}

// consumedText returns the fuel or energy that the car used.
func (s Summary) consumedText() string {
	if s.Energy != 0 {
		return fmt.Sprintf("%.3f kWh", s.Energy)
	}
	return fmt.Sprintf("%.3f L", s.Fuel)
}

// printTuning returns how to preserve the tuning, or "" if it was not changed.
func printTuning(lines []string) string {
	if lines == nil {
		return ""
	}
	return "the motion was tuned; to keep the tuning, put this table into the configuration:\n    " + strings.Join(lines, "\n    ") + "\n"
}
