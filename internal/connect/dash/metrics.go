package dash

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
	"strings"

	"rig.example/rig/internal/core/frame"
	"rig.example/rig/internal/core/shown"
	"rig.example/rig/internal/kit/valid"
)

// Types of metrics.
const (
	gauge   = "gauge"
	counter = "counter"
)

// family is a metric: its samples, and what it means.
type family struct {
	name, kind, help string
	samples          []metricSample
}

// metricSample is a value, and the name and value of its label unless the metric has none. NaN and Inf are left out.
type metricSample struct {
	label, of string
	value     float64
}

// single is a metric without labels.
func single(name, kind, help string, value float64) family {
	return family{name, kind, help, []metricSample{{value: value}}}
}

// labeled is a metric with a sample for each value of a label.
func labeled(name, kind, help, label string, count int, sampleAt func(i int) (of string, value float64)) family {
	f := family{name: name, kind: kind, help: help}
	for i := range count {
		of, value := sampleAt(i)
		f.samples = append(f.samples, metricSample{label, of, value})
	}
	return f
}

// one returns 1 for true and 0 for false.
func one(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// write writes the text of a metric, or nothing if it has no samples.
func (f *family) write(b *bytes.Buffer) {
	f.samples = slices.DeleteFunc(f.samples, func(s metricSample) bool { return !valid.Finite(s.value) })
	if len(f.samples) == 0 {
		return
	}
	b.WriteString("# HELP rig_" + f.name + " " + f.help + "\n# TYPE rig_" + f.name + " " + f.kind + "\n")
	for _, s := range f.samples {
		b.WriteString("rig_" + f.name)
		if s.label != "" {
			b.WriteString("{" + s.label + `="` + labelEscapes.Replace(s.of) + `"}`)
		}
		b.WriteString(" " + strconv.FormatFloat(s.value, 'g', -1, 64) + "\n")
	}
}

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

// writeMetrics writes all metrics of the rig and of this server.
func (s *server) writeMetrics(b *bytes.Buffer) {
	var f frame.Frame
	seq, age, isKnown := s.hub.current(&f)
	_, ended := s.options.Source.Ended()
	list := []family{
		single("ended", gauge, "1 if the rig has ended.", one(ended)),
		single("frames_total", counter, "Frames that the loop has published.", float64(seq)),
	}
	if isKnown {
		n := &s.options.Scene.Names
		list = append(list, single("frame_age_seconds", gauge, "Time since the newest frame came.", age.Seconds()))
		legs := n.Actuators[:min(f.Motion.LegCount, frame.MaxLegs, uint64(len(n.Actuators)))]
		list = slices.Concat(list, loopMetrics(&f, nil), safetyStates(&f, n), forceMetrics(&f, nil), platformStates(&f, n), platformMetrics(&f, legs), carMetrics(&f, nil))
	}
	list = append(list, s.webMetrics()...)
	for i := range list {
		list[i].write(b)
	}
}

// shownMetric is a metric that is a quantity of a frame; a * in it is the actuator or the wheel. It is a counter if its name
// ends with _total.
type shownMetric struct{ name, quantity, help string }

var loopMetrics = quantitiesOf([]shownMetric{
	{"loop_simulated_ticks_total", "car_ticks", "Steps of the car's simulation, 1000 per second of driving."},
	{"loop_missed_total", "missed_ticks", "Periods that had ended when the loop woke."},
	{"loop_dropped_total", "dropped_ticks", "Missed periods without a tick."},
	{"loop_lateness_max_seconds", "lateness_max", "Worst lateness of the loop so far."},
	{"loop_tick_seconds", "tick_cost", "Duration of the last tick."},
	{"window_pictures_total", "pictures", "Pictures that the rig's window has shown."},
	{"recorder_on", "recorder_on", "1 while the drive is recorded."},
	{"recorder_bytes_total", "recorder_bytes", "Bytes written to the recording."},
	{"recorder_missing_ticks_total", "recorder_missing", "Ticks that the recording lacks."},
})

var forceMetrics = quantitiesOf([]shownMetric{
	{"force_rim_newton_meters", "rim_torque", "Torque sent to the wheel, positive to the left."},
	{"force_asked_newton_meters", "rim_torque_requested", "Torque requested before limits, positive to the left."},
	{"force_limit_newton_meters", "rim_torque_allowed", "Highest torque that the rim may get now."},
	{"force_clipped_ratio", "force_clipped", "Share of the last 10 s of driving in which the requested torque exceeded the limit."},
})

var platformMetrics = quantitiesOf([]shownMetric{
	{"platform_targets_per_second", "platform_target_rate", "Targets sent to the platform."},
	{"platform_latency_seconds", "platform_latency", "Time from a tick to the last byte of its target on the line."},
	{"platform_line_ratio", "platform_line_share", "Share of the line's capacity in use."},
	{"platform_motion_ratio", "platform_fade", "Share of the motion that the guard lets pass."},
	{"platform_jumps_total", "platform_warnings", "Targets that jumped implausibly far."},
	{"platform_target_ratio", "actuator_*_demand", "Target of the actuator, share of the stroke."},
	{"platform_position_ratio", "actuator_*_feedback", "Measured position of the actuator, share of the stroke."},
	{"platform_follow_error_ratio", "actuator_*_follow_error", "Measured minus expected position of the actuator, share of the stroke."},
	{"platform_temperature_celsius", "actuator_*_temperature", "Temperature of the actuator's drive."},
})

var carMetrics = quantitiesOf([]shownMetric{
	{"car_speed_meters_per_second", "speed", "Speed of the car, positive forward."},
	{"car_engine_rpm", "engine_rpm", "Speed of the engine in revolutions per minute."},
	{"car_distance_meters_total", "distance", "Driven distance."},
	{"car_fuel_liters", "fuel_in_tank", "Fuel in the tank."},
	{"laps_total", "laps_finished", "Finished laps."},
	{"lap_last_seconds", "last_lap_time", "Time of the last finished lap, 0 before the first."},
	{"lap_best_seconds", "best_lap_time", "Shortest time of a valid lap, 0 before the first."},
	{"tire_temperature_celsius", "wheel_*_tire_surface_temperature", "Temperature of the tread's surface."},
	{"tire_pressure_pascals", "wheel_*_tire_pressure", "Pressure of the tire."},
	{"tire_wear_ratio", "wheel_*_tire_wear", "Share of the usable tread that is worn off."},
	{"brake_temperature_celsius", "wheel_*_brake_temperature", "Temperature of the brake disc."},
})

// quantitiesOf returns what gives the metrics of a frame, for actuators with these names.
func quantitiesOf(list []shownMetric) func(f *frame.Frame, actuators []string) []family {
	names := make([]string, len(list))
	for i, m := range list {
		names[i] = m.quantity
	}
	quantities := shown.Pick[frame.Frame](names...)
	return func(f *frame.Frame, actuators []string) (families []family) {
		for i, m := range list {
			label, of := "", []string{""}
			switch label, _, _ = strings.Cut(m.quantity, "_*"); label {
			case "actuator":
				of = actuators
			case "wheel":
				of = wheelNames[:]
			default:
				label = ""
			}
			kind := gauge
			if strings.HasSuffix(m.name, "_total") {
				kind = counter
			}
			families = append(families, labeled(m.name, kind, m.help, label, len(of), func(k int) (string, float64) { return of[k], quantities[i].At(f, k) }))
		}
		return families
	}
}

func safetyStates(f *frame.Frame, n *frame.Names) []family {
	return []family{
		labeled("safety_state", gauge, "1 for the present safety state.", "state", len(n.States), func(i int) (string, float64) {
			return n.States[i], one(f.State == uint64(i))
		}),
		labeled("flag", gauge, "1 for each state or device that is present, such as wheel, pedals and platform.", "flag", len(frame.FlagNames), func(i int) (string, float64) {
			return frame.FlagNames[i], float64(f.Flags >> i & 1)
		}),
	}
}

func platformStates(f *frame.Frame, n *frame.Names) []family {
	m := &f.Motion
	return []family{
		labeled("platform_state", gauge, "1 for the platform's present state.", "state", len(n.PlatformStates), func(i int) (string, float64) {
			return n.PlatformStates[i], one(m.State == uint64(i))
		}),
		labeled("platform_fault", gauge, "1 for each fault of the platform.", "fault", len(n.Faults), func(i int) (string, float64) {
			return n.Faults[i], float64(m.Faults >> i & 1)
		}),
	}
}

var wheelNames = [4]string{"front_left", "front_right", "rear_left", "rear_right"}

func (s *server) webMetrics() []family {
	open, refusedConnections := 0, uint64(0)
	if s.listener != nil {
		open, refusedConnections = s.listener.counts()
	}
	c := &s.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	codes := slices.Sorted(maps.Keys(c.byStatus))
	return []family{
		single("web_streams", gauge, "Pages that are open.", float64(s.hub.streams())),
		single("web_connections", gauge, "Open connections.", float64(open)),
		single("web_connections_refused_total", counter, "Connections closed because there were too many.", float64(refusedConnections)),
		single("web_streams_dropped_total", counter, "Streams closed because nobody read them.", float64(c.dropped)),
		single("web_messages_skipped_total", counter, "Messages replaced by newer ones before a page took them.", float64(c.skipped)),
		labeled("web_requests_refused_total", counter, "Refused requests by HTTP status.", "status", len(codes), func(i int) (string, float64) {
			return strconv.Itoa(codes[i]), float64(c.byStatus[codes[i]])
		}),
		labeled("web_orders_total", counter, "Orders that reached the rig.", "order", 2, func(i int) (string, float64) {
			return [...]string{"stop", "tune"}[i], float64([...]uint64{c.stops, c.tunes}[i])
		}),
	}
}
