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

// frameMetrics are the metrics that are quantities of a frame. The values of a label are the names of a state, of bits, of
// actuators or of wheels.
var frameMetrics = [...]struct{ name, quantity, label, help string }{
	{"loop_simulated_ticks_total", "car_ticks", "", "Steps of the car's simulation, 1000 per second of driving."},
	{"loop_missed_total", "missed_ticks", "", "Periods that had ended when the loop woke."},
	{"loop_dropped_total", "dropped_ticks", "", "Missed periods without a tick."},
	{"loop_lateness_max_seconds", "lateness_max", "", "Worst lateness of the loop so far."},
	{"loop_tick_seconds", "tick_cost", "", "Duration of the last tick."},
	{"window_pictures_total", "pictures", "", "Pictures that the rig's window has shown."},
	{"recorder_on", "recorder_on", "", "1 while the drive is recorded."},
	{"recorder_bytes_total", "recorder_bytes", "", "Bytes written to the recording."},
	{"recorder_missing_ticks_total", "recorder_missing", "", "Ticks that the recording lacks."},
	{"safety_state", "safety_state", "state", "1 for the present safety state."},
	{"flag", "flags", "flag", "1 for each state or device that is present, such as wheel, pedals and platform."},
	{"force_rim_newton_meters", "rim_torque", "", "Torque sent to the wheel, positive to the left."},
	{"force_asked_newton_meters", "rim_torque_requested", "", "Torque requested before limits, positive to the left."},
	{"force_limit_newton_meters", "rim_torque_allowed", "", "Highest torque that the rim may get now."},
	{"force_clipped_ratio", "force_clipped", "", "Share of the last 10 s of driving in which the requested torque exceeded the limit."},
	{"platform_state", "platform_state", "state", "1 for the platform's present state."},
	{"platform_fault", "platform_faults", "fault", "1 for each fault of the platform."},
	{"platform_targets_per_second", "platform_target_rate", "", "Targets sent to the platform."},
	{"platform_latency_seconds", "platform_latency", "", "Time from a tick to the last byte of its target on the line."},
	{"platform_line_ratio", "platform_line_share", "", "Share of the line's capacity in use."},
	{"platform_motion_ratio", "platform_fade", "", "Share of the motion that the guard lets pass."},
	{"platform_jumps_total", "platform_warnings", "", "Targets that jumped implausibly far."},
	{"platform_target_ratio", "actuator_*_demand", "actuator", "Target of the actuator, share of the stroke."},
	{"platform_position_ratio", "actuator_*_feedback", "actuator", "Measured position of the actuator, share of the stroke."},
	{"platform_follow_error_ratio", "actuator_*_follow_error", "actuator", "Measured minus expected position of the actuator, share of the stroke."},
	{"platform_temperature_celsius", "actuator_*_temperature", "actuator", "Temperature of the actuator's drive."},
	{"car_speed_meters_per_second", "speed", "", "Speed of the car, positive forward."},
	{"car_engine_rpm", "engine_rpm", "", "Speed of the engine in revolutions per minute."},
	{"car_distance_meters_total", "distance", "", "Driven distance."},
	{"car_fuel_liters", "fuel_in_tank", "", "Fuel in the tank."},
	{"laps_total", "laps_finished", "", "Finished laps."},
	{"lap_last_seconds", "last_lap_time", "", "Time of the last finished lap, 0 before the first."},
	{"lap_best_seconds", "best_lap_time", "", "Shortest time of a valid lap, 0 before the first."},
	{"tire_temperature_celsius", "wheel_*_tire_surface_temperature", "wheel", "Temperature of the tread's surface."},
	{"tire_pressure_pascals", "wheel_*_tire_pressure", "wheel", "Pressure of the tire."},
	{"tire_wear_ratio", "wheel_*_tire_wear", "wheel", "Share of the usable tread that is worn off."},
	{"brake_temperature_celsius", "wheel_*_brake_temperature", "wheel", "Temperature of the brake disc."},
}

var frameQuantities = func() []*shown.Quantity[frame.Frame] {
	var names []string
	for _, m := range frameMetrics {
		names = append(names, m.quantity)
	}
	return shown.Pick[frame.Frame](names...)
}()

// write writes the text of a metric: a sample for each value of its label. What is NaN or Inf is left out, and a metric without
// samples too. One whose name ends with _total is a counter.
func write(b *bytes.Buffer, name, help, label string, of []string, at func(i int) float64) {
	kind, written := "gauge", false
	if strings.HasSuffix(name, "_total") {
		kind = "counter"
	}
	for i, value := range of {
		v := at(i)
		if !valid.Finite(v) {
			continue
		}
		if !written {
			b.WriteString("# HELP rig_" + name + " " + help + "\n# TYPE rig_" + name + " " + kind + "\n")
			written = true
		}
		b.WriteString("rig_" + name)
		if label != "" {
			b.WriteString("{" + label + `="` + labelEscapes.Replace(value) + `"}`)
		}
		b.WriteString(" " + strconv.FormatFloat(v, 'g', -1, 64) + "\n")
	}
}

// single are the values of no label.
var single = []string{""}

// writeSingle writes a metric without a label.
func writeSingle(b *bytes.Buffer, name, help string, v float64) {
	write(b, name, help, "", single, func(int) float64 { return v })
}

// one returns 1 for true and 0 for false.
func one(b bool) float64 { return float64(frame.OneIf(b)) }

var labelEscapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`)

var wheelNames = []string{"front_left", "front_right", "rear_left", "rear_right"}

// writeMetrics writes all metrics of the rig and of this server.
func (s *server) writeMetrics(b *bytes.Buffer) {
	var f frame.Frame
	seq, age, isKnown := s.hub.current(&f)
	_, ended := s.options.Source.Ended()
	writeSingle(b, "ended", "1 if the rig has ended.", one(ended))
	writeSingle(b, "frames_total", "Frames that the loop has published.", float64(seq))
	if isKnown {
		writeSingle(b, "frame_age_seconds", "Time since the newest frame came.", age.Seconds())
		writeFrame(b, &f, &s.options.Scene.Names)
	}
	s.writeWeb(b)
}

func writeFrame(b *bytes.Buffer, f *frame.Frame, n *frame.Names) {
	for i, m := range frameMetrics {
		of, at := single, func(k int) float64 { return frameQuantities[i].At(f, k) }
		bit := func(k int) float64 { return float64(frameQuantities[i].Word(f) >> k & 1) }
		code := func(k int) float64 { return one(frameQuantities[i].Word(f) == uint64(k)) }
		switch m.quantity {
		case "safety_state":
			of, at = n.States, code
		case "platform_state":
			of, at = n.PlatformStates, code
		case "flags":
			of, at = frame.FlagNames[:], bit
		case "platform_faults":
			of, at = n.Faults, bit
		}
		switch m.label {
		case "wheel":
			of = wheelNames
		case "actuator":
			of = n.Actuators[:min(f.Motion.LegCount, frame.MaxLegs, uint64(len(n.Actuators)))]
		}
		write(b, m.name, m.help, m.label, of, at)
	}
}

func (s *server) writeWeb(b *bytes.Buffer) {
	open, refusedConnections := 0, uint64(0)
	if s.listener != nil {
		open, refusedConnections = s.listener.counts()
	}
	c := &s.counters
	c.mu.Lock()
	defer c.mu.Unlock()
	writeSingle(b, "web_streams", "Pages that are open.", float64(s.hub.streams()))
	writeSingle(b, "web_connections", "Open connections.", float64(open))
	writeSingle(b, "web_connections_refused_total", "Connections closed because there were too many.", float64(refusedConnections))
	writeSingle(b, "web_streams_dropped_total", "Streams closed because nobody read them.", float64(c.dropped))
	writeSingle(b, "web_messages_skipped_total", "Messages replaced by newer ones before a page took them.", float64(c.skipped))
	codes := slices.Sorted(maps.Keys(c.byStatus))
	var statuses []string
	for _, code := range codes {
		statuses = append(statuses, strconv.Itoa(code))
	}
	write(b, "web_requests_refused_total", "Refused requests by HTTP status.", "status", statuses, func(i int) float64 { return float64(c.byStatus[codes[i]]) })
	write(b, "web_orders_total", "Orders that reached the rig.", "order", []string{"stop", "tune"}, func(i int) float64 { return float64([...]uint64{c.stops, c.tunes}[i]) })
}
