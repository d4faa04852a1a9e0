package wheel

import "rig.example/rig/internal/kit/evdev"

// The USB vendor ids of wheels. Other makers use the ids of Granite and STMicroelectronics too.
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
	olderLogitech     = EightBit | Geared | NoConditions
	thrustmasterTMFF2 = OwnDriverGain | SharedRange
	mozaQuirks        = TimedFromStart | InvertedConditions
	fanatecQuirks     = PCMode | SignVaries
	asetekQuirks      = NeedsArming | ResetsUnread
)

// The right paddle of Logitech's and Fanatec's wheels is their fifth button, the left one their sixth.
// hid-fanatecff names them as the buttons of a gamepad if it is configured so (ftec_keymap;
// custom_button_mapping). The paddles of Thrustmaster and of other makers differ from rim to rim, so they
// are not listed.
var logitechPaddles = []Paddles{{"BTN_TOP2", "BTN_PINKIE"}}
var fanatecPaddles = []Paddles{{"BTN_TOP2", "BTN_PINKIE"}, {"BTN_TR", "BTN_TL"}}

// modelTable has the known wheels by USB vendor and product id.
//
// Sources of the ids: the kernel's drivers/hid/hid-ids.h, hid-lg4ff.c, hid-thrustmaster.c and
// hid-universal-pidff.c; the source code of the drivers in familyTable; wheel_ids.py of Oversteer
// (https://github.com/berarma/oversteer); https://github.com/JacKeTUs/linux-steering-wheels; for Simucube
// the maker's "USB interface documentation" (https://docs.simucube.com).
//
// Sources of the rotations, for each driver: lg4ff_devices in hid-lg4ff; hidpp_ff_range_store in
// hid-logitech-hidpp; each wheel's set_range in hid-tmff2; the range attribute of hid-t150 and
// hid-fanatecff; max_angle of simagic-ff. The rotation of all other wheels is set by the maker's program,
// and its default here is an estimate unless a comment names a source.
//
// Sources of the torques: FromList is DEVICE_CAPABILITIES.md of
// https://github.com/EffortlessMetrics/OpenRacing, unless a comment names another list. An Estimated
// torque is estimated high as FullNm and low as RatedNm, so that the force is rather too weak.
var modelTable = map[[2]evdev.ID]Model{
	// The G923 has 2.2 N·m (https://grokipedia.com/page/Logitech_G923); the G29 and G920 have the same
	// motors. The G27 has 2.3 N·m in https://simracingcockpit.com/torque-settings-iracing and 2.5 N·m in
	// the list. Users of WheelCheck report that geared wheels need 12 to 16 % of their force to move.
	{logitech, 0xc299}: {"Logitech G25", LG4FF, 40, 900, 900, 2.5, 2.2, FromReview, olderLogitech, logitechPaddles},
	{logitech, 0xc29b}: {"Logitech G27", LG4FF, 40, 900, 900, 2.5, 2.2, FromReview, olderLogitech, logitechPaddles},
	{logitech, 0xc24f}: {"Logitech G29", LG4FF, 40, 900, 900, 2.2, 2.2, FromReview, olderLogitech | PCMode, logitechPaddles},
	{logitech, 0xc266}: {"Logitech G923 (PlayStation)", LG4FF, 40, 900, 900, 2.2, 2.2, FromReview, EightBit | Geared | NeedsNewLG4FF, logitechPaddles},
	{logitech, 0xc267}: {"Logitech G923 (PlayStation) before it is switched", LG4FF, 0, 0, 900, 2.2, 1, FromReview, CompatID | NeedsNewLG4FF, logitechPaddles},
	{logitech, 0xc262}: {"Logitech G920", HIDPP, 180, 900, 900, 2.2, 2.2, FromReview, Geared | UnboundedQueue, logitechPaddles},
	{logitech, 0xc261}: {"Logitech G920 before it is switched", HIDPP, 0, 0, 900, 2.2, 1, FromReview, CompatID | UnboundedQueue, logitechPaddles},
	{logitech, 0xc26e}: {"Logitech G923 (Xbox)", HIDPP, 180, 900, 900, 2.2, 2.2, FromReview, Geared | UnboundedQueue, logitechPaddles},
	{logitech, 0xc26d}: {"Logitech G923 (Xbox) before it is switched", HIDPP, 0, 0, 900, 2.2, 1, FromReview, CompatID | UnboundedQueue, logitechPaddles},
	{logitech, 0xc29a}: {"Logitech Driving Force GT", LG4FF, 40, 900, 900, 2.5, 1, Estimated, olderLogitech, nil},
	{logitech, 0xc298}: {"Logitech Driving Force Pro", LG4FF, 40, 900, 900, 2.5, 1, Estimated, olderLogitech, nil},
	// A G25, G27, G29, DFGT or DFP has this id until it is switched.
	{logitech, 0xc294}: {"Logitech Driving Force, or another before it is switched", LG4FF, 270, 270, 270, 2.5, 1, Estimated, olderLogitech | CompatID | FixedRange | SharedID, nil},
	{logitech, 0xc295}: {"Logitech MOMO Force", LG4FF, 270, 270, 270, 2.5, 1, Estimated, olderLogitech | FixedRange, nil},
	{logitech, 0xca03}: {"Logitech MOMO Racing", LG4FF, 270, 270, 270, 2.5, 1, Estimated, olderLogitech | FixedRange, nil},
	// Needs a patched hid-logitech-hidpp. Oversteer lists 1080 degrees.
	{logitech, 0xc268}: {"Logitech G PRO (PlayStation)", HIDPP, 180, 1080, 900, 11, 11, FromList, SignVaries | UnboundedQueue, nil},
	{logitech, 0xc272}: {"Logitech G PRO (Xbox)", HIDPP, 180, 1080, 900, 11, 11, FromList, SignVaries | UnboundedQueue, nil},

	{thrustmaster, 0xb65d}: {"Thrustmaster FFB wheel before it is switched", NoFamily, 0, 0, 900, 6, 1, Estimated, CompatID, nil},
	// The T-GT II shows itself as a T300 (README of hid-tmff2): 6 N·m.
	{thrustmaster, 0xb66e}: {"Thrustmaster T300RS and T-GT II", TMFF2, 40, 1080, 900, 6, 4, FromList, thrustmasterTMFF2 | SharedID | PCMode, nil},
	{thrustmaster, 0xb66d}: {"Thrustmaster T300RS and T-GT II (PS4 mode)", TMFF2, 40, 1080, 900, 6, 4, FromList, thrustmasterTMFF2 | SharedID, nil},
	{thrustmaster, 0xb66f}: {"Thrustmaster T300RS (advanced F1 mode)", TMFF2, 40, 1080, 900, 4, 4, FromList, thrustmasterTMFF2, nil},
	// T248, T128 and T818 have the same id (reports of users to the project hid-tmff2). The T818 has 10 N·m
	// in the list. No figure was found for the weakest, the T128.
	{thrustmaster, 0xb696}: {"Thrustmaster T128, T248 and T818", TMFF2, 40, 900, 900, 10, 2, Estimated, thrustmasterTMFF2 | SharedID | PCMode, nil},
	{thrustmaster, 0xb669}: {"Thrustmaster TX", TMFF2, 40, 900, 900, 4, 4, FromList, thrustmasterTMFF2, nil},
	{thrustmaster, 0xb664}: {"Thrustmaster TX before it is switched", TMFF2, 0, 0, 900, 4, 1, FromList, CompatID, nil},
	{thrustmaster, 0xb689}: {"Thrustmaster TS-PC Racer", TMFF2, 40, 1080, 900, 6, 6, FromList, thrustmasterTMFF2, nil},
	{thrustmaster, 0xb692}: {"Thrustmaster TS-XW", TMFF2, 40, 1080, 900, 6, 6, FromList, thrustmasterTMFF2, nil},
	{thrustmaster, 0xb691}: {"Thrustmaster TS-XW before it is switched", TMFF2, 0, 0, 900, 6, 1, FromList, CompatID, nil},
	{thrustmaster, 0xb677}: {"Thrustmaster T150", T150, 270, 1080, 900, 2.5, 2.5, FromList, OwnDriverGain | PCMode, nil},
	{thrustmaster, 0xb67f}: {"Thrustmaster TMX", T150, 270, 900, 900, 2.5, 2.5, FromList, OwnDriverGain, nil},
	// No driver is known; users have asked the project hid-tmff2 for one. Rotation: wheel_ids.py of
	// Oversteer.
	{thrustmaster, 0xb65e}: {"Thrustmaster T500RS", NoFamily, 0, 0, 1080, 4, 4, FromList, NoDriver, nil},

	// Rotations: min_range and max_range in hid-fanatecff, where 10 degrees more than max_range means "auto".
	// The ClubSport DD and DD+ hold 12 and 15 N·m; the DD2 holds 20 N·m with peaks of 25 N·m (fanatec.com,
	// "Understanding torque", "Do I need a 25 Nm wheel base"). The CSL DD gives 5 N·m without its stronger
	// power supply (simracingcockpit.com). Wheels without FTEC_HIGHRES have 8-bit levels.
	{fanatec, 0x0001}: {"Fanatec ClubSport V2", Fanatec, 90, 900, 900, 8, 8, FromList, fanatecQuirks | EightBit, fanatecPaddles},
	{fanatec, 0x0004}: {"Fanatec ClubSport V2.5", Fanatec, 90, 900, 900, 8, 8, FromList, fanatecQuirks | EightBit, fanatecPaddles},
	{fanatec, 0x0005}: {"Fanatec CSL Elite (PS4)", Fanatec, 90, 1080, 900, 6, 6, FromList, fanatecQuirks, fanatecPaddles},
	{fanatec, 0x0e03}: {"Fanatec CSL Elite", Fanatec, 90, 1080, 900, 6, 6, FromList, fanatecQuirks, fanatecPaddles},
	{fanatec, 0x0006}: {"Fanatec Podium DD1", Fanatec, 90, 2520, 900, 20, 20, FromList, fanatecQuirks, fanatecPaddles},
	{fanatec, 0x0007}: {"Fanatec Podium DD2", Fanatec, 90, 2520, 900, 25, 20, FromMaker, fanatecQuirks, fanatecPaddles},
	{fanatec, 0x0020}: {"Fanatec CSL DD, DD Pro and ClubSport DD", Fanatec, 90, 2520, 900, 15, 5, FromMaker, fanatecQuirks | SharedID, fanatecPaddles},
	{fanatec, 0x0011}: {"Fanatec CSR Elite", Fanatec, 90, 900, 900, 5, 5, FromList, fanatecQuirks | EightBit, fanatecPaddles},
	{fanatec, 0x0197}: {"Fanatec Porsche 911 Turbo S and GT3 RS V2", Fanatec, 90, 900, 900, 5, 1, Estimated, fanatecQuirks | EightBit, fanatecPaddles},

	// InvertedConditions: HID_PIDFF_QUIRK_FIX_CONDITIONAL_DIRECTION in hid-universal-pidff. R16 and R21:
	// https://onlineracedriver.com, "Upgraded new Moza Racing R16 and R21 wheel bases". TimedFromStart:
	// https://github.com/PCSX2/pcsx2/pull/11906.
	{moza, 0x0005}: {"Moza R3", Universal, 0, 0, 900, 3.9, 3.9, FromList, mozaQuirks, nil},
	{moza, 0x0015}: {"Moza R3 (second)", Universal, 0, 0, 900, 3.9, 3.9, FromList, mozaQuirks, nil},
	{moza, 0x0004}: {"Moza R5", Universal, 0, 0, 900, 5.5, 5.5, FromList, mozaQuirks, nil},
	{moza, 0x0014}: {"Moza R5 (second)", Universal, 0, 0, 900, 5.5, 5.5, FromList, mozaQuirks, nil},
	{moza, 0x0002}: {"Moza R9", Universal, 0, 0, 900, 9, 9, FromList, mozaQuirks, nil},
	{moza, 0x0012}: {"Moza R9 (second)", Universal, 0, 0, 900, 9, 9, FromList, mozaQuirks, nil},
	{moza, 0x0006}: {"Moza R12", Universal, 0, 0, 900, 12, 12, FromList, mozaQuirks, nil},
	{moza, 0x0016}: {"Moza R12 (second)", Universal, 0, 0, 900, 12, 12, FromList, mozaQuirks, nil},
	{moza, 0x0000}: {"Moza R16 and R21", Universal, 0, 0, 900, 21, 16, FromReview, mozaQuirks | SharedID, nil},
	{moza, 0x0010}: {"Moza R16 and R21 (second)", Universal, 0, 0, 900, 21, 16, FromReview, mozaQuirks | SharedID, nil},

	// NeedsArming: the maker's "Setting up FFB strength" (high torque mode). A Simucube 1 is a controller for
	// motors of many sizes.
	{granite, 0x0d5a}: {"Simucube 1", PID, 0, 0, 900, 30, 5, Estimated, NeedsArming, nil},
	{granite, 0x0d61}: {"Simucube 2 Sport", PID, 0, 0, 900, 17, 17, FromList, NeedsArming, nil},
	{granite, 0x0d60}: {"Simucube 2 Pro", PID, 0, 0, 900, 25, 25, FromList, NeedsArming, nil},
	{granite, 0x0d5f}: {"Simucube 2 Ultimate", PID, 0, 0, 900, 32, 32, FromList, NeedsArming, nil},

	// Source of NeedsArming: https://github.com/moonrail/asetek_wheelbase_cli; of ResetsUnread:
	// linux-steering-wheels. The 18 N·m of the Forte are also in a review of gamereactor.it.
	{asetek, 0xf303}: {"Asetek La Prima", Universal, 0, 0, 900, 12, 12, FromList, asetekQuirks, nil},
	{asetek, 0xf301}: {"Asetek Forte", Universal, 0, 0, 900, 18, 18, FromReview, asetekQuirks, nil},
	{asetek, 0xf300}: {"Asetek Invicta", Universal, 0, 0, 900, 27, 27, FromList, asetekQuirks, nil},
	{asetek, 0xf306}: {"Asetek Tony Kanaan", Universal, 0, 0, 900, 27, 27, FromList, asetekQuirks, nil},

	// Rotation: Oversteer.
	{cammus, 0x0301}: {"Cammus C5", Universal, 0, 0, 1080, 5, 5, FromList, 0, nil},
	{cammus, 0x0302}: {"Cammus C12", Universal, 0, 0, 1080, 12, 12, FromList, 0, nil},

	// DFP15, DFP20 and uDFP20 have this id, and give no force until they are turned (linux-steering-wheels).
	// 20 N·m is from the list. No figure was found for the weakest.
	{stMicro, 0xa355}: {"VRS DirectForce Pro", Universal, 0, 0, 900, 20, 5, Estimated, SharedID | SleepsUntilTurned, nil},

	// Firmware before 159 works with hid-pidff, later with simagic-ff (its
	// README). No figures were found for its four older bases. The GT Neo is a rim
	// with a plug of its own, which resets while idle: linux-steering-wheels.
	{stMicro, 0x0522}: {"Simagic M10, Alpha Mini, Alpha and Alpha Ultimate", Simagic, 90, 2520, 900, 23, 5, Estimated, SharedID | SineOnly, nil},
	{simagic, 0x0500}: {"Simagic EVO Sport", Simagic, 90, 2520, 900, 9, 9, FromList, SineOnly, nil},
	{simagic, 0x0501}: {"Simagic EVO", Simagic, 90, 2520, 900, 12, 12, FromList, SineOnly, nil},
	{simagic, 0x0502}: {"Simagic EVO Pro", Simagic, 90, 2520, 900, 18, 18, FromList, SineOnly, nil},

	// Boards for motors of any size. The rotation of OpenFFBoard is from Oversteer.
	{pidCodes, 0xffb0}: {"OpenFFBoard", PID, 0, 0, 1080, 20, 2, Estimated, 0, nil},
	{ffbeast, 0x59d7}:  {"FFBeast", Universal, 0, 0, 900, 20, 2, Estimated, 0, nil},

	// The first version has 7 N·m, the second, with the same id, 13 N·m.
	{nxp, 0x804c}: {"SimXperience AccuForce Pro", PID, 0, 0, 900, 13, 7, FromList, SharedID, nil},

	// SineOnly: HID_PIDFF_QUIRK_PERIODIC_SINE_ONLY in hid-universal-pidff.
	{liteStar, 0x3245}: {"PXN V10", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1212}: {"PXN V12", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1112}: {"PXN V12 Lite", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x1211}: {"PXN V12 Lite (second)", Universal, 0, 0, 900, 10, 2, Estimated, SineOnly, nil},
	{liteStar, 0x2141}: {"Lite Star GT987", Universal, 0, 0, 900, 10, 1, Estimated, SineOnly, nil},
}

// switchers has the program or driver that switches a wheel from its compatibility id to its own. The
// sources are hid-lg4ff.c; hid-thrustmaster.c (from kernel 5.13 on, T150, T300 and T500); the README of
// hid-tmff2 (TX and TS-XW); for usb_modeswitch, reports of users to the project Oversteer.
var switchers = map[[2]evdev.ID]string{
	{logitech, 0xc294}:     "hid-lg4ff of the kernel",
	{logitech, 0xc267}:     "new-lg4ff (github.com/berarma/new-lg4ff)",
	{logitech, 0xc261}:     "the program usb_modeswitch",
	{logitech, 0xc26d}:     "the program usb_modeswitch",
	{thrustmaster, 0xb65d}: "hid-thrustmaster of the kernel, or hid-tminit (github.com/scarburato/hid-tminit)",
	{thrustmaster, 0xb664}: "the program tmdrv (github.com/her001/tmdrv)",
	{thrustmaster, 0xb691}: "the program tmdrv (github.com/her001/tmdrv)",
}
