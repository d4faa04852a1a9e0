package main

// manualSection is a list of words and what they mean, for the manual page and for docs/reference/commands.md.
type manualSection struct {
	title   string
	entries []entry
}

// manualSections are the sections that are about all commands.
var manualSections = []manualSection{
	{"EXIT STATUS", []entry{
		{"0", "Done. Also: a drive, or what only shows something, was ended by Ctrl-C, SIGTERM or SIGHUP."},
		{"1", "Failed, or interrupted before the result was there: a movement, a calibration, rig bench, a table. " +
			"Also: a result could not be written; Ctrl-C once more ended the program at once; rig stop, pause or confirm found nothing that takes orders, or had no effect."},
		{"2", "Wrong usage or a wrong configuration: a flag, an argument, a key of rig.toml, a car, a circuit. Nothing was started."},
		{"128 + N", "Signal N ended a command that only reads or calculates: 130 for Ctrl-C, 143 for SIGTERM. It leaves no half-written file."},
	}},
	{"SIGNALS", []entry{
		{"SIGINT, SIGTERM, SIGHUP", "Fade out the torque, park the platform and end, also when the terminal is closed. Later ones do nothing, but for a SIGINT (Ctrl-C): half a second or more after rig " +
			"has said so, it ends at once. The kernel then stops the wheel's force, and the platform stays where the line says that it is."},
		{"SIGUSR2", "Emergency stop, by software, as rig stop. For every command that moves something; all others ignore it."},
		{"SIGUSR1", "Confirm that a fault or a stop is over. For every command that moves something; all others ignore it."},
	}},
	{"ENVIRONMENT", []entry{
		{"XDG_CONFIG_HOME", "Folder of rig/rig.toml and of rig/profiles. Default: ~/.config."},
		{"XDG_DATA_HOME", "Folder of rig/recordings and rig/sessions. Default: ~/.local/share, or /var/lib for root."},
		{"XDG_CACHE_HOME", "Folder of rig, where meshes of circuits are cached. Default: ~/.cache."},
		{"XDG_RUNTIME_DIR", "Folder of rig/page, the socket of a running rig, and of the sound server's."},
		{"DISPLAY, WAYLAND_DISPLAY", "Where windows are opened."},
		{"PULSE_SERVER, PULSE_COOKIE, PULSE_RUNTIME_PATH", "Sound server, as for other programs. Default: that of the session."},
		{"NOTIFY_SOCKET", "Set by a service manager: ./rig.toml is not read then."},
		{"COLUMNS", "Width of the help of a command."},
	}},
	{"FILES", []entry{
		{"./rig.toml, ~/.config/rig/rig.toml, /etc/rig/rig.toml", "Configuration: the first of them that exists. Root and the service do not read the first. --config names another."},
		{"~/.config/rig/profiles", "What rig calibrate has measured, and saved tunings of the motion."},
		{"~/.local/share/rig/recordings, /var/lib/rig/recordings", "Recordings, and what the black box kept."},
		{"~/.cache/rig", "Meshes of circuits. May be deleted."},
		{"/run/rig/page", "Socket of the service, for rig watch, stop, pause and confirm."},
	}},
	{"EXAMPLES", []entry{
		{"rig run --demo", "Drive without any hardware: arrow keys steer, or a driver model does."},
		{"rig check", "Find what is wrong with the configuration and this machine."},
		{"rig calibrate wheel", "Measure the wheel before the first drive."},
		{"rig run --car gt --track club --camera cockpit", "Drive another car, for once."},
		{"rig maneuver moose --car pickup --plot moose.svg", "Simulate the moose test and draw it."},
		{"rig run --record; rig report $(ls -t ~/.local/share/rig/recordings/*.mcap | head -n 1)", "Record a drive and draw it."},
	}},
}
