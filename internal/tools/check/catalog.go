package check

import "fmt"

// Entry describes one check: what a finding of its name means.
type Entry struct {
	Name    string
	Level   Level
	Part    Part   // of the rig, under which the summary counts it
	Checked string // what is wrong, for users
	Remedy  string // what to do, in general; a finding has the exact command
}

// Part is a part of the rig in the summary.
type Part string

// The parts of the rig.
const (
	Configuration Part = "configuration"
	Car           Part = "car"
	Track         Part = "track"
	Wheel         Part = "wheel"
	Pedals        Part = "pedals"
	Platform      Part = "platform"
	Window        Part = "window"
	Sound         Part = "sound"
	RealTime      Part = "real time"
	Recordings    Part = "recordings"
)

// Catalog lists all checks. docs/reference/findings.md is made of it.
var Catalog = []Entry{
	{"profiles", Warning, Configuration, "no folder for calibration profiles is known", "set `profiles_dir`"},
	{"profiles-folder", Error, Configuration, "the folder of the profiles is a file", "rename it, or set `profiles_dir`"},
	{"driver", Error, Configuration, "the profile of the driver in use is missing or faulty", "fix it, or choose another driver: `rig driver list`"},
	{"driver-records", Warning, Configuration, "the driver's records cannot be read", "fix or remove the file"},
	{"telemetry", Warning, Configuration, "the name of a telemetry target does not resolve", "correct `to`"},
	{"web", Warning, Configuration, "the web page cannot be served at its address", "set `web.listen`"},
	{"session", Error, Configuration, "the invitation to a session cannot be used", "copy it again, or leave `session.invitation` empty"},
	{"follow", Warning, Configuration, "the game to follow is not heard", "start it and drive"},

	{"car", Error, Car, "the car's file is faulty", "fix it where the message says"},
	{"tire-notes", Warning, Car, "something in the tire's file is doubtful", "fix the tire's file"},
	{"model", Error, Car, "the window cannot show the car's own model", "fix `[model]` of the car's file"},
	{"circuit", Error, Track, "the circuit's file is faulty", "fix it where the message says"},
	{"track-notes", Warning, Track, "a part of the circuit cannot be used", "`rig road` shows it"},

	{"input", Error, Wheel, "the kernel's input devices cannot be listed", "`sudo modprobe evdev`"},
	{"wheel", Warning, Wheel, "no wheel was found", "plug it in, or set `wheel.device`"},
	{"wheel-driver", Warning, Wheel, "a known wheel is plugged in and bound to no driver, or to another than it needs for its force", "`sudo modprobe DRIVER`; `sudo apt install linux-image-amd64` on a kernel for virtual machines; else where to get the driver"},
	{"wheel-mode", Warning, Wheel, "a wheel is still in its compatibility mode", "`sudo apt install usb-modeswitch`, or what else switches it"},
	{"wheel-unsupported", Warning, Wheel, "no driver is known for the wheel's force", "another wheel"},
	{"wheel-force", Warning, Wheel, "the wheel has its driver and offers no force", "its power supply, see [wheels](../wheels.md)"},
	{"kernel", Warning, Wheel, "users found this kernel's force bad with this wheel", "another kernel, which the finding names"},
	{"kernel-other-programs", Note, Wheel, "the kernel's pidff confuses kinds of effects; rig avoids it, other programs may not. Only with `wheel.spring`, `damper`, `friction` or `vibration`", "kernel 7.2"},
	{"wheel-shared", Warning, Wheel, "another program has the wheel's node open for writing, or its raw node (SDL and Proton drive some wheels so): name and pid", "`kill PID`"},
	{"wheel-read", Note, Wheel, "another program reads the wheel", "close it if the wheel does not answer"},
	{"running", Note, Wheel, "a running rig has the wheel or the controller", "end that drive first"},
	{"uncalibrated", Warning, Wheel, "the direction of the wheel's force is not known", "`rig calibrate wheel`"},
	{"wheel-firmware", Warning, Wheel, "the wheel's firmware or driver has changed since its calibration", "`rig calibrate wheel`"},
	{"wheel-range", Warning, Wheel, "the wheel's range or position lies outside its calibration", "`rig calibrate wheel`"},
	{"wheel-center", Note, Wheel, "the driver's centering spring holds the rim beside the calibrated center", "`rig calibrate wheel`"},
	{"profile", Warning, Wheel, "a profile of the wheel or the pedals cannot be read", "`rig calibrate wheel`, `rig calibrate pedals`"},
	{"autosuspend", Warning, Wheel, "the kernel may suspend the USB device of the wheel, the pedals or the controller", "`echo on | sudo tee …/power/control`, or [a rule](../troubleshooting.md#usb-devices-that-sleep)"},
	{"buttons", Warning, Wheel, "a configured button was not found", "`rig devices --watch` shows its name"},
	{"dead-man", Warning, Wheel, "the dead man's switch has no button", "set `buttons.dead_man`"},
	{"high-torque", Note, Wheel, "more than 8 N·m are allowed and need consent at each start", "`--high-torque`, or U in the window"},
	{"double-effects", Warning, Wheel, "effects play on the rim twice", "set one of them to 0"},

	{"pedals", Warning, Pedals, "no pedals were found", "plug them in, or set `pedals.device`"},
	{"pedal-tables", Error, Pedals, "the tables `[pedals]` do not fit together", "fix them"},
	{"converter", Warning, Pedals, "a converter is silent, or an axis of it is implausible", "its wires"},
	{"levers", Warning, Pedals, "a shifter or handbrake is missing", "`rig devices` lists what is there"},
	{"pedals-firmware", Warning, Pedals, "the pedals' firmware or driver has changed since their calibration", "`rig calibrate pedals`"},
	{"pedal-range", Warning, Pedals, "a pedal stands beyond where it was calibrated as released", "`rig calibrate pedals`"},
	{"pedals-uncalibrated", Note, Pedals, "the pedals were never calibrated: which end of each is the released one is taken from the model, or seen when they are let go", "`rig calibrate pedals`"},
	{"pedal-reversed", Warning, Pedals, "a pedal stands at the end where it was calibrated as pressed, as all do when a driver or a firmware counts the other way than before", "`rig calibrate pedals`"},
	{"pedal-pressed", Note, Pedals, "a pedal stands at more than 10 %", "`rig calibrate pedals` if no foot is on it"},

	{"geometry", Error, Platform, "the platform's measures describe none that can be built", "fix `[geometry]`"},
	{"motion", Error, Platform, "the controller's settings do not fit together", "fix `[motion]`"},
	{"no-controller", Warning, Platform, "a platform is set but no controller", "set `motion.preset` or `motion.protocol`"},
	{"jump-detection", Warning, Platform, "jumps of the target are not detected", "set `motion.spike_share`"},
	{"slow-line", Warning, Platform, "fewer than 50 targets a second fit the line", "raise `motion.baud`"},
	{"reach", Warning, Platform, "cueing asks for more than the actuators reach", "the values that the finding names"},
	{"port", Error, Platform, "the controller's serial port is missing, or is none", "plug it in, set `motion.port`"},
	{"port-access", Error, Platform, "you may not open the port although you are in its usual group", "`ls -lL PORT` shows who may"},
	{"line-shared", Error, Platform, "another program has the controller's line open: name and pid", "`kill PID`, `sudo systemctl stop ModemManager`"},
	{"modemmanager", Warning, Platform, "ModemManager may probe the line, which moves the platform", "[a rule](../platforms.md#which-usb-devices-count-as-a-controller), as a command"},
	{"interlock", Error, Platform, "the line of the belt or door switch cannot be read", "`rig devices` lists the chips"},
	{"interlock-open", Warning, Platform, "belt or door is open", "close it"},
	{"no-interlock", Warning, Platform, "no belt or door switch parks the platform", "set `estop.interlock_pin` or `buttons.interlock`"},
	{"estop", Error, Platform, "the lines of the emergency stop cannot be read", "`rig devices` lists the chips"},
	{"estop-pressed", Warning, Platform, "the emergency stop is pressed, or its wires are broken", "release it"},
	{"relay", Error, Platform, "the relay of the emergency stop cannot be released", "its wires"},

	{"no-display", Warning, Window, "there is no screen", "log in to a desktop, or `--headless`"},
	{"window", Error, Window, "the window cannot be opened: build, Xwayland, OpenGL", "`sudo apt install xwayland`, `sudo apt install libgl1-mesa-dri`"},
	{"software-rendering", Note, Window, "the processor draws the window (llvmpipe)", "the driver of the graphics card"},

	{"sound", Warning, Sound, "no sound server, or its device is missing", "start it, or set `sound.device`"},
	{"shaker", Warning, Sound, "a shaker's device or channel is missing or used twice", "set `shaker.device`, `shaker.channel`"},

	{"groups", Warning, RealTime, "you are not in a group whose right was refused: `realtime` (priority, memory), `input` (wheel), `dialout` (controller)", "`sudo usermod -aG GROUPS $USER` with the missing ones"},
	{"login", Warning, RealTime, "you joined such a group after this login", "log out and in"},
	{"group-missing", Warning, RealTime, "the machine has no such group", "install rig"},
	{"priority", Warning, RealTime, "the kernel refuses real-time priority", "the limits of `/etc/security/limits.d/rig.conf`"},
	{"memory", Warning, RealTime, "memory cannot be locked and may be swapped out", "the same limits"},
	{"processor", Warning, RealTime, "the loop cannot be bound to `realtime.cpu`", "set another"},
	{"timers", Warning, RealTime, "on PREEMPT_RT, a real-time program can hold up the end of a force", "`sudo rig timers`"},
	{"idle", Warning, RealTime, "deep idle states cannot be prevented (`/dev/cpu_dma_latency`)", "the udev rule `70-rig.rules`"},
	{"idle-allowed", Note, RealTime, "deep idle states are allowed and the processor has such", "set `realtime.no_deep_idle = true`"},
	{"governor", Warning, RealTime, "the clock of the processors follows the load", "`echo performance | sudo tee …/scaling_governor`"},
	{"smt", Note, RealTime, "a processor that is not isolated shares the core of the loop's isolated one", "`echo 0 | sudo tee …/cpuN/online`"},

	{"recordings", Warning, Recordings, "the folder of recordings is not known or not writable", "set `record.folder`"},
	{"disk", Warning, Recordings, "the disk has room for less than 10 minutes", "delete recordings, which `rig ls` lists"},
}

// catalogEntry returns the entry of the check called name, which must be in Catalog.
func catalogEntry(name string) Entry {
	for _, e := range Catalog {
		if e.Name == name {
			return e
		}
	}
	panic(fmt.Sprintf("check: %q is not in the catalog", name))
}
