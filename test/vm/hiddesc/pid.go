package hiddesc

// Report numbers of a wheel of the PID class (Device Class Definition for Physical Interface Devices 1.0).
// Output and feature reports are numbered separately.
const (
	PIDInput = 0x01 // axes and buttons

	PIDSetEffect     = 0x11 // this and the next nine: output
	PIDSetEnvelope   = 0x12
	PIDSetCondition  = 0x13
	PIDSetPeriodic   = 0x14
	PIDSetConstant   = 0x15
	PIDSetRamp       = 0x16
	PIDOperation     = 0x1a
	PIDBlockFree     = 0x1b
	PIDDeviceControl = 0x1c
	PIDDeviceGain    = 0x1d

	PIDCreateEffect = 0x11 // feature, from the host
	PIDBlockLoad    = 0x12 // feature, to the host
	PIDPool         = 0x13
)

// Limits in the reports that DirectDrive describes.
const (
	PIDSlots     = 40    // effects at the same time, numbered from 1
	PIDFull      = 10000 // largest magnitude, coefficient or saturation
	PIDFullTurn  = 35999 // largest direction or phase, 359.99 degrees
	PIDFullGain  = 255   // largest gain of an effect or of the device
	PIDAlways    = 255   // loop count of an effect that repeats without end
	pidLongestMS = 0x7fff
)

// PagePID is the usage page for force feedback.
const PagePID = 0x0f

// Usages of the force feedback page.
const (
	pidSetEffect       = 0x21
	pidBlockIndex      = 0x22
	pidParameterBlock  = 0x23
	pidEffectType      = 0x25
	pidDuration        = 0x50
	pidGain            = 0x52
	pidTriggerButton   = 0x53
	pidTriggerRepeat   = 0x54
	pidAxesEnable      = 0x55
	pidDirectionOn     = 0x56
	pidDirection       = 0x57
	pidSetEnvelope     = 0x5a
	pidAttackLevel     = 0x5b
	pidAttackTime      = 0x5c
	pidFadeLevel       = 0x5d
	pidFadeTime        = 0x5e
	pidSetCondition    = 0x5f
	pidCenter          = 0x60
	pidPosCoefficient  = 0x61
	pidNegCoefficient  = 0x62
	pidPosSaturation   = 0x63
	pidNegSaturation   = 0x64
	pidDeadBand        = 0x65
	pidSetPeriodic     = 0x6e
	pidOffset          = 0x6f
	pidMagnitude       = 0x70
	pidPhase           = 0x71
	pidPeriod          = 0x72
	pidSetConstant     = 0x73
	pidSetRamp         = 0x74
	pidRampStart       = 0x75
	pidRampEnd         = 0x76
	pidOperation       = 0x77
	pidOperationChoice = 0x78 // followed by start, start solo, stop
	pidLoopCount       = 0x7c
	pidDeviceGain      = 0x7d
	pidDeviceGainField = 0x7e
	pidPool            = 0x7f
	pidPoolSize        = 0x80
	pidSimultaneous    = 0x83
	pidBlockLoad       = 0x89
	pidLoadStatus      = 0x8b // followed by success, full, error
	pidBlockFree       = 0x90
	pidDeviceControl   = 0x96 // followed by actuators on, off, stop all, reset, pause, continue
	pidStartDelay      = 0xa7
	pidManagedPool     = 0xa9
	pidSharedBlocks    = 0xaa
	pidCreateEffect    = 0xab
	pidPoolAvailable   = 0xac
	pidOrdinals        = 0x0a // ordinals usage page, which numbers the axes of a direction
	pidByteCount       = 0x3b // usage of the generic desktop page
)

// DirectDrive returns the report descriptor of a direct-drive wheel of the PID class, which the kernel's
// hid-pidff drives.
//
// Input report: X (steering), Z, Rz and Y with 16 bits each, 16 buttons. Numbers longer than a byte are
// little-endian.
func DirectDrive() []byte {
	d := &Descriptor{}
	d.Page(PageDesktop).Usages(UsageJoystick).Collection(Application)
	d.ReportID(PIDInput).Usages(UsageX, UsageZ, UsageRz, UsageY).Range(0, 0xffff).Fields(4, 16).Input(Variable)
	d.Page(PageButton).UsageRange(1, 16).Range(0, 1).Fields(16, 1).Input(Variable)
	d.Page(PagePID)
	d.pidEffect()
	d.pidEnvelopeAndCondition()
	d.pidParameters()
	d.pidOperations()
	d.pidFeatures()
	return *d.End()
}

// pidReport starts the collection of one report. The methods below append the fields of reports.
func (d *Descriptor) pidReport(usage, id uint32) *Descriptor {
	return d.Usages(usage).Collection(Group).ReportID(id)
}

// pidIndex appends a field for the number of an effect's slot, one byte.
func (d *Descriptor) pidIndex() *Descriptor {
	return d.Usages(pidBlockIndex).Range(1, PIDSlots).Fields(1, 8)
}

// pidChoice appends a field of one byte that selects one of the usages, counted from 1.
func (d *Descriptor) pidChoice(group uint32, choices ...uint32) *Descriptor {
	d.Usages(group).Collection(Group).Usages(choices...)
	return d.Range(1, int32(len(choices))).Fields(1, 8)
}

// pidTypes appends a field for the type of an effect: constant, ramp, square, sine, triangle, sawtooth up,
// sawtooth down, spring, damper, inertia, friction.
func (d *Descriptor) pidTypes() *Descriptor {
	return d.pidChoice(pidEffectType, 0x26, 0x27, 0x30, 0x31, 0x32, 0x33, 0x34, 0x40, 0x41, 0x42, 0x43)
}

// pidWords appends output fields of two bytes.
func (d *Descriptor) pidWords(low, high int32, usages ...uint32) *Descriptor {
	return d.Usages(usages...).Range(low, high).Fields(uint32(len(usages)), 16).Output(Variable)
}

// pidTimes appends output fields of two bytes for times in milliseconds.
func (d *Descriptor) pidTimes(usages ...uint32) *Descriptor {
	return d.Unit(Seconds).Exponent(-3).pidWords(0, pidLongestMS, usages...).Unit(0).Exponent(0)
}

// pidEffect appends the report with the parameters that all types of effects have.
func (d *Descriptor) pidEffect() {
	d.pidReport(pidSetEffect, PIDSetEffect).pidIndex().Output(Variable)
	d.pidTypes().Output(0).End()
	d.pidTimes(pidDuration, pidTriggerRepeat, pidStartDelay)
	d.Usages(pidGain).Range(0, PIDFullGain).Fields(1, 8).Output(Variable)
	d.Usages(pidTriggerButton).Range(0, 16).Fields(1, 8).Output(Variable)
	d.Usages(pidAxesEnable).Collection(Group).Page(PageDesktop).Usages(UsageX).Range(0, 1).Fields(1, 1).Output(Variable).End()
	d.Page(PagePID).Usages(pidDirectionOn).Fields(1, 1).Output(Variable)
	d.Fields(1, 6).Output(Constant)
	d.Usages(pidDirection).Collection(Group).Page(pidOrdinals).Unit(Degrees).Exponent(-2)
	d.pidWords(0, PIDFullTurn, 1, 2).Unit(0).Exponent(0).End()
	d.Page(PagePID).End()
}

// pidEnvelopeAndCondition appends the reports with an effect's envelope and its condition.
func (d *Descriptor) pidEnvelopeAndCondition() {
	d.pidReport(pidSetEnvelope, PIDSetEnvelope).pidIndex().Output(Variable)
	d.pidWords(0, PIDFull, pidAttackLevel, pidFadeLevel).pidTimes(pidAttackTime, pidFadeTime).End()
	d.pidReport(pidSetCondition, PIDSetCondition).pidIndex().Output(Variable)
	d.Usages(pidParameterBlock).Range(0, 1).Fields(1, 8).Output(Variable)
	d.pidWords(-PIDFull, PIDFull, pidCenter, pidPosCoefficient, pidNegCoefficient)
	d.pidWords(0, PIDFull, pidPosSaturation, pidNegSaturation, pidDeadBand).End()
}

// pidParameters appends the reports with the parameters of periodic, constant and ramp effects.
func (d *Descriptor) pidParameters() {
	d.pidReport(pidSetPeriodic, PIDSetPeriodic).pidIndex().Output(Variable)
	d.pidWords(0, PIDFull, pidMagnitude).pidWords(-PIDFull, PIDFull, pidOffset)
	d.pidWords(0, PIDFullTurn, pidPhase).pidTimes(pidPeriod).End()
	d.pidReport(pidSetConstant, PIDSetConstant).pidIndex().Output(Variable)
	d.pidWords(-PIDFull, PIDFull, pidMagnitude).End()
	d.pidReport(pidSetRamp, PIDSetRamp).pidIndex().Output(Variable)
	d.pidWords(-PIDFull, PIDFull, pidRampStart, pidRampEnd).End()
}

// pidOperations appends the reports that start, stop and free effects, and those that control the whole device.
func (d *Descriptor) pidOperations() {
	d.pidReport(pidOperation, PIDOperation).pidIndex().Output(Variable)
	d.pidChoice(pidOperationChoice, 0x79, 0x7a, 0x7b).Output(0).End()
	d.Usages(pidLoopCount).Range(0, PIDAlways).Fields(1, 8).Output(Variable).End()
	d.pidReport(pidBlockFree, PIDBlockFree).pidIndex().Output(Variable).End()
	d.Usages(pidDeviceControl).Collection(Group).ReportID(PIDDeviceControl)
	d.Usages(0x97, 0x98, 0x99, 0x9a, 0x9b, 0x9c).Range(1, 6).Fields(1, 8).Output(0).End()
	d.pidReport(pidDeviceGain, PIDDeviceGain).Usages(pidDeviceGainField)
	d.Range(0, PIDFullGain).Fields(1, 8).Output(Variable).End()
}

// pidFeatures appends the feature reports that allocate a slot for an effect.
func (d *Descriptor) pidFeatures() {
	d.pidReport(pidCreateEffect, PIDCreateEffect).pidTypes().Feature(0).End()
	d.Page(PageDesktop).Usages(pidByteCount).Range(0, 511).Fields(1, 10).Feature(Variable)
	d.Fields(1, 6).Feature(Constant).Page(PagePID).End()
	d.pidReport(pidBlockLoad, PIDBlockLoad).pidIndex().Feature(Variable)
	d.pidChoice(pidLoadStatus, 0x8c, 0x8d, 0x8e).Feature(0).End()
	d.Usages(pidPoolAvailable).Range(0, 0xffff).Fields(1, 16).Feature(Variable).End()
	d.pidReport(pidPool, PIDPool).Usages(pidPoolSize).Range(0, 0xffff).Fields(1, 16).Feature(Variable)
	d.Usages(pidSimultaneous).Range(0, 255).Fields(1, 8).Feature(Variable)
	d.Usages(pidManagedPool, pidSharedBlocks).Range(0, 1).Fields(2, 1).Feature(Variable)
	d.Fields(1, 6).Feature(Constant).End()
}
