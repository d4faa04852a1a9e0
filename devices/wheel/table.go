package wheel

import "rig.example/rig/internal/evdev"

// The makers of wheels. Granite's and VRS's numbers are lent to others too.
const (
	logitech     evdev.ID = 0x046d
	thrustmaster evdev.ID = 0x044f
	fanatec      evdev.ID = 0x0eb7
	moza         evdev.ID = 0x346e
	granite      evdev.ID = 0x16d0 // Simucube
	asetek       evdev.ID = 0x2433
	cammus       evdev.ID = 0x3416
	stMicro      evdev.ID = 0x0483 // VRS, older Simagic
	simagic      evdev.ID = 0x3670
	liteStar     evdev.ID = 0x11ff // PXN
	ffbeast      evdev.ID = 0x045b
	pidCodes     evdev.ID = 0x1209 // OpenFFBoard
	nxp          evdev.ID = 0x1fc9 // SimXperience
)

// Sets of quirks that a maker's wheels share.
const (
	oldLogitech = EightBit | Geared | NoConditions
	trs         = OwnGain | RangeOfAll
	ofMoza      = StartsClock | ConditionSign
	ofFanatec   = PCMode | SignVaries
	ofAsetek    = ArmTorque | PollsOrResets
)

// Logitech's wheels send the right paddle as their fifth button, the left one
// as their sixth. So do Fanatec's, which hid-fanatecff can be told to name
// after a gamepad (ftec_keymap; its custom_button_mapping). Thrustmaster's and
// the paddles of other makers' rims differ from rim to rim: none is guessed.
var fifthAndSixth = []Paddles{{"BTN_TOP2", "BTN_PINKIE"}}
var ofFanatecRims = []Paddles{{"BTN_TOP2", "BTN_PINKIE"}, {"BTN_TR", "BTN_TL"}}

// models are the wheels known by number.
//
// Numbers: the kernel's drivers/hid/hid-ids.h, hid-lg4ff.c, hid-thrustmaster.c
// and hid-universal-pidff.c; the tables of the drivers in families; Oversteer's
// wheel_ids.py (https://github.com/berarma/oversteer); the list
// https://github.com/JacKeTUs/linux-steering-wheels; of Simucube the maker's
// "USB interface documentation" (https://docs.simucube.com).
//
// Rotations: of hid-lg4ff its lg4ff_devices; of hid-logitech-hidpp
// hidpp_ff_range_store; of hid-tmff2 each wheel's set_range; of hid-t150 and
// hid-fanatecff their range attribute; of simagic-ff max_angle. Of the others
// the maker's program sets it, and the default is estimated unless said.
//
// Torques: FromList is DEVICE_CAPABILITIES.md of
// https://github.com/EffortlessMetrics/OpenRacing unless another is named. What
// is Estimated is high as FullNm and low as RatedNm, which is mild.
var models = map[[2]evdev.ID]Model{
	// 2.2 N·m of the G923: https://grokipedia.com/page/Logitech_G923; the G29
	// and G920 have its motors. G27: 2.3 N·m in
	// https://simracingcockpit.com/torque-settings-iracing, 2.5 N·m in the list.
	// That geared ones need 12 to 16 % of their force to move: WheelCheck's users.
	{logitech, 0xc299}: {"Logitech G25", LG4FF, 40, 900, 900, 2.5, 2.2, FromTest, oldLogitech, fifthAndSixth},
	{logitech, 0xc29b}: {"Logitech G27", LG4FF, 40, 900, 900, 2.5, 2.2, FromTest, oldLogitech, fifthAndSixth},
	{logitech, 0xc24f}: {"Logitech G29", LG4FF, 40, 900, 900, 2.2, 2.2, FromTest, oldLogitech | PCMode, fifthAndSixth},
	{logitech, 0xc266}: {"Logitech G923 (PlayStation)", LG4FF, 40, 900, 900, 2.2, 2.2, FromTest, EightBit | Geared | NewLG4FF, fifthAndSixth},
	{logitech, 0xc267}: {"Logitech G923 (PlayStation) before it is switched", LG4FF, 0, 0, 900, 2.2, 1, FromTest, CompatID | NewLG4FF, fifthAndSixth},
	{logitech, 0xc262}: {"Logitech G920", HIDPP, 180, 900, 900, 2.2, 2.2, FromTest, Geared | QueuesAll, fifthAndSixth},
	{logitech, 0xc261}: {"Logitech G920 before it is switched", HIDPP, 0, 0, 900, 2.2, 1, FromTest, CompatID | QueuesAll, fifthAndSixth},
	{logitech, 0xc26e}: {"Logitech G923 (Xbox)", HIDPP, 180, 900, 900, 2.2, 2.2, FromTest, Geared | QueuesAll, fifthAndSixth},
	{logitech, 0xc26d}: {"Logitech G923 (Xbox) before it is switched", HIDPP, 0, 0, 900, 2.2, 1, FromTest, CompatID | QueuesAll, fifthAndSixth},
	{logitech, 0xc29a}: {"Logitech Driving Force GT", LG4FF, 40, 900, 900, 2.5, 1, Estimated, oldLogitech, nil},
	{logitech, 0xc298}: {"Logitech Driving Force Pro", LG4FF, 40, 900, 900, 2.5, 1, Estimated, oldLogitech, nil},
	// A G25, G27, G29, DFGT or DFP answers with this number until it is switched.
	{logitech, 0xc294}: {"Logitech Driving Force, or another before it is switched", LG4FF, 270, 270, 270, 2.5, 1, Estimated, oldLogitech | CompatID | FixedRange | SharedID, nil},
	{logitech, 0xc295}: {"Logitech MOMO Force", LG4FF, 270, 270, 270, 2.5, 1, Estimated, oldLogitech | FixedRange, nil},
	{logitech, 0xca03}: {"Logitech MOMO Racing", LG4FF, 270, 270, 270, 2.5, 1, Estimated, oldLogitech | FixedRange, nil},
	// Of a patched hid-logitech-hidpp; Oversteer knows 1080 degrees.
	{logitech, 0xc268}: {"Logitech G PRO (PlayStation)", HIDPP, 180, 1080, 900, 11, 11, FromList, SignVaries | QueuesAll, nil},
	{logitech, 0xc272}: {"Logitech G PRO (Xbox)", HIDPP, 180, 1080, 900, 11, 11, FromList, SignVaries | QueuesAll, nil},

	{thrustmaster, 0xb65d}: {"Thrustmaster FFB wheel before it is switched", NoFamily, 0, 0, 900, 6, 1, Estimated, CompatID, nil},
	// The T-GT II shows itself as a T300 (README of hid-tmff2): 6 N·m.
	{thrustmaster, 0xb66e}: {"Thrustmaster T300RS and T-GT II", TMFF2, 40, 1080, 900, 6, 4, FromList, trs | SharedID | PCMode, nil},
	{thrustmaster, 0xb66d}: {"Thrustmaster T300RS and T-GT II (PS4 mode)", TMFF2, 40, 1080, 900, 6, 4, FromList, trs | SharedID, nil},
	{thrustmaster, 0xb66f}: {"Thrustmaster T300RS (advanced F1 mode)", TMFF2, 40, 1080, 900, 4, 4, FromList, trs, nil},
	// T248, T128 and T818 have one number (reports of users to the project
	// hid-tmff2). T818: 10 N·m in the list; of the mildest, the T128, no figure was
	// found.
	{thrustmaster, 0xb696}: {"Thrustmaster T128, T248 and T818", TMFF2, 40, 900, 900, 10, 2, Estimated, trs | SharedID | PCMode, nil},
	{thrustmaster, 0xb669}: {"Thrustmaster TX", TMFF2, 40, 900, 900, 4, 4, FromList, trs, nil},
	{thrustmaster, 0xb664}: {"Thrustmaster TX before it is switched", TMFF2, 0, 0, 900, 4, 1, FromList, CompatID, nil},
	{thrustmaster, 0xb689}: {"Thrustmaster TS-PC Racer", TMFF2, 40, 1080, 900, 6, 6, FromList, trs, nil},
	{thrustmaster, 0xb692}: {"Thrustmaster TS-XW", TMFF2, 40, 1080, 900, 6, 6, FromList, trs, nil},
	{thrustmaster, 0xb691}: {"Thrustmaster TS-XW before it is switched", TMFF2, 0, 0, 900, 6, 1, FromList, CompatID, nil},
	{thrustmaster, 0xb677}: {"Thrustmaster T150", T150, 270, 1080, 900, 2.5, 2.5, FromList, OwnGain | PCMode, nil},
	{thrustmaster, 0xb67f}: {"Thrustmaster TMX", T150, 270, 900, 900, 2.5, 2.5, FromList, OwnGain, nil},
	// Users ask the project hid-tmff2 for its driver. Rotation: wheel_ids.py of
	// Oversteer.
	{thrustmaster, 0xb65e}: {"Thrustmaster T500RS", NoFamily, 0, 0, 1080, 4, 4, FromList, NoDriver, nil},

	// hid-fanatecff (min_range, max_range); 10 degrees above the most is "auto".
	// ClubSport DD and DD+ hold 12 and 15 N·m, the DD2 holds 20 with peaks of 25
	// (fanatec.com, "Understanding torque", "Do I need a 25 Nm wheel base"). The
	// CSL DD gives 5 without its stronger supply (simracingcockpit.com). Those
	// without FTEC_HIGHRES take 8 bits.
	{fanatec, 0x0001}: {"Fanatec ClubSport V2", Fanatec, 90, 900, 900, 8, 8, FromList, ofFanatec | EightBit, ofFanatecRims},
	{fanatec, 0x0004}: {"Fanatec ClubSport V2.5", Fanatec, 90, 900, 900, 8, 8, FromList, ofFanatec | EightBit, ofFanatecRims},
	{fanatec, 0x0005}: {"Fanatec CSL Elite (PS4)", Fanatec, 90, 1080, 900, 6, 6, FromList, ofFanatec, ofFanatecRims},
	{fanatec, 0x0e03}: {"Fanatec CSL Elite", Fanatec, 90, 1080, 900, 6, 6, FromList, ofFanatec, ofFanatecRims},
	{fanatec, 0x0006}: {"Fanatec Podium DD1", Fanatec, 90, 2520, 900, 20, 20, FromList, ofFanatec, ofFanatecRims},
	{fanatec, 0x0007}: {"Fanatec Podium DD2", Fanatec, 90, 2520, 900, 25, 20, FromMaker, ofFanatec, ofFanatecRims},
	{fanatec, 0x0020}: {"Fanatec CSL DD, DD Pro and ClubSport DD", Fanatec, 90, 2520, 900, 15, 5, FromMaker, ofFanatec | SharedID, ofFanatecRims},
	{fanatec, 0x0011}: {"Fanatec CSR Elite", Fanatec, 90, 900, 900, 5, 5, FromList, ofFanatec | EightBit, ofFanatecRims},
	{fanatec, 0x0197}: {"Fanatec Porsche 911 Turbo S and GT3 RS V2", Fanatec, 90, 900, 900, 5, 1, Estimated, ofFanatec | EightBit, ofFanatecRims},

	// hid-universal-pidff: HID_PIDFF_QUIRK_FIX_CONDITIONAL_DIRECTION. R16 and R21:
	// https://onlineracedriver.com, "Upgraded new Moza Racing R16 and R21 wheel
	// bases". The clock of an effect: https://github.com/PCSX2/pcsx2/pull/11906.
	{moza, 0x0005}: {"Moza R3", Universal, 0, 0, 900, 3.9, 3.9, FromList, ofMoza, nil},
	{moza, 0x0015}: {"Moza R3 (second)", Universal, 0, 0, 900, 3.9, 3.9, FromList, ofMoza, nil},
	{moza, 0x0004}: {"Moza R5", Universal, 0, 0, 900, 5.5, 5.5, FromList, ofMoza, nil},
	{moza, 0x0014}: {"Moza R5 (second)", Universal, 0, 0, 900, 5.5, 5.5, FromList, ofMoza, nil},
	{moza, 0x0002}: {"Moza R9", Universal, 0, 0, 900, 9, 9, FromList, ofMoza, nil},
	{moza, 0x0012}: {"Moza R9 (second)", Universal, 0, 0, 900, 9, 9, FromList, ofMoza, nil},
	{moza, 0x0006}: {"Moza R12", Universal, 0, 0, 900, 12, 12, FromList, ofMoza, nil},
	{moza, 0x0016}: {"Moza R12 (second)", Universal, 0, 0, 900, 12, 12, FromList, ofMoza, nil},
	{moza, 0x0000}: {"Moza R16 and R21", Universal, 0, 0, 900, 21, 16, FromTest, ofMoza | SharedID, nil},
	{moza, 0x0010}: {"Moza R16 and R21 (second)", Universal, 0, 0, 900, 21, 16, FromTest, ofMoza | SharedID, nil},

	// High torque mode: the maker's "Setting up FFB strength". A Simucube 1 is a
	// controller for motors of many sizes.
	{granite, 0x0d5a}: {"Simucube 1", PID, 0, 0, 900, 30, 5, Estimated, ArmTorque, nil},
	{granite, 0x0d61}: {"Simucube 2 Sport", PID, 0, 0, 900, 17, 17, FromList, ArmTorque, nil},
	{granite, 0x0d60}: {"Simucube 2 Pro", PID, 0, 0, 900, 25, 25, FromList, ArmTorque, nil},
	{granite, 0x0d5f}: {"Simucube 2 Ultimate", PID, 0, 0, 900, 32, 32, FromList, ArmTorque, nil},

	// To arm it: https://github.com/moonrail/asetek_wheelbase_cli; resets while
	// idle: linux-steering-wheels. Forte: 18 N·m in gamereactor.it too.
	{asetek, 0xf303}: {"Asetek La Prima", Universal, 0, 0, 900, 12, 12, FromList, ofAsetek, nil},
	{asetek, 0xf301}: {"Asetek Forte", Universal, 0, 0, 900, 18, 18, FromTest, ofAsetek, nil},
	{asetek, 0xf300}: {"Asetek Invicta", Universal, 0, 0, 900, 27, 27, FromList, ofAsetek, nil},
	{asetek, 0xf306}: {"Asetek Tony Kanaan", Universal, 0, 0, 900, 27, 27, FromList, ofAsetek, nil},

	// Rotation: Oversteer.
	{cammus, 0x0301}: {"Cammus C5", Universal, 0, 0, 1080, 5, 5, FromList, 0, nil},
	{cammus, 0x0302}: {"Cammus C12", Universal, 0, 0, 1080, 12, 12, FromList, 0, nil},

	// The number of DFP15, DFP20 and uDFP20, and no force until it moves:
	// linux-steering-wheels. 20 N·m: the list. Of the mildest no figure was found.
	{stMicro, 0xa355}: {"VRS DirectForce Pro", Universal, 0, 0, 900, 20, 5, Estimated, SharedID | SleepsStill, nil},

	// Firmware before 159 works with hid-pidff, later with simagic-ff (its
	// README). No figures were found for its four older bases. The GT Neo is a rim
	// with a plug of its own, which resets while idle: linux-steering-wheels.
	{stMicro, 0x0522}: {"Simagic M10, Alpha Mini, Alpha and Alpha Ultimate", Simagic, 90, 2520, 900, 23, 5, Estimated, SharedID | SineOnly, nil},
	{simagic, 0x0500}: {"Simagic EVO Sport", Simagic, 90, 2520, 900, 9, 9, FromList, SineOnly, nil},
	{simagic, 0x0501}: {"Simagic EVO", Simagic, 90, 2520, 900, 12, 12, FromList, SineOnly, nil},
	{simagic, 0x0502}: {"Simagic EVO Pro", Simagic, 90, 2520, 900, 18, 18, FromList, SineOnly, nil},

	// Boards for motors of any size. Rotation of the first: Oversteer.
	{pidCodes, 0xffb0}: {"OpenFFBoard", PID, 0, 0, 1080, 20, 2, Estimated, 0, nil},
	{ffbeast, 0x59d7}:  {"FFBeast", Universal, 0, 0, 900, 20, 2, Estimated, 0, nil},

	// 7 N·m, and 13 of the second with the same number.
	{nxp, 0x804c}: {"SimXperience AccuForce Pro", PID, 0, 0, 900, 13, 7, FromList, SharedID, nil},

	// hid-universal-pidff: HID_PIDFF_QUIRK_PERIODIC_SINE_ONLY.
	{liteStar, 0x3245}: {"PXN V10", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1212}: {"PXN V12", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1112}: {"PXN V12 Lite", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1211}: {"PXN V12 Lite (second)", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x2141}: {"Lite Star GT987", Universal, 0, 0, 900, 10, 1, Estimated, SineOnly, nil},
}

// switchers are what brings a wheel from a compatibility number to its own:
// hid-lg4ff.c; hid-thrustmaster.c (from kernel 5.13 on, T150, T300 and T500);
// README of hid-tmff2 (TX and TS-XW); for usb_modeswitch what users
// report to the project Oversteer.
var switchers = map[[2]evdev.ID]string{
	{logitech, 0xc294}:     "hid-lg4ff of the kernel",
	{logitech, 0xc267}:     "new-lg4ff (github.com/berarma/new-lg4ff)",
	{logitech, 0xc261}:     "the program usb_modeswitch",
	{logitech, 0xc26d}:     "the program usb_modeswitch",
	{thrustmaster, 0xb65d}: "hid-thrustmaster of the kernel, or hid-tminit (github.com/scarburato/hid-tminit)",
	{thrustmaster, 0xb664}: "the program tmdrv (github.com/her001/tmdrv)",
	{thrustmaster, 0xb691}: "the program tmdrv (github.com/her001/tmdrv)",
}
