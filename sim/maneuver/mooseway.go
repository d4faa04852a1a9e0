package maneuver

// lane is the way of the body's middle through the course: along three lines, with
// smooth changes between places.
type lane struct {
	y      [3]float64 // of each section [m]
	leaves [2]float64 // where the change begins [m]
	meets  [2]float64 // where it ends [m]
}

// at returns where the lane is across, at a place along the course [m].
func (l *lane) at(x float64) float64 {
	y := l.y[0]
	for i := range l.leaves {
		part := min(max((x-l.leaves[i])/(l.meets[i]-l.leaves[i]), 0), 1)
		y += (l.y[i+1] - l.y[i]) * part * part * part * (10 + part*(6*part-15))
	}
	return y
}

// mooseWay is one way of taking the course.
type mooseWay struct {
	skill
	early [2]float64 // the changes begin so far before the lane ends [m]
	late  [2]float64 // and end so far into the next one [m]
	cut   [2]float64 // share of the room in the third and fifth section that is used to change less
}

// mooseWays are ways that proved fast with one car or another: hatch, coupe and tall
// ones, found by trying some thousands. The first is a rough driver's.
func mooseWays() []mooseWay {
	return []mooseWay{
		{skill{0.50, 0.15, 0.14}, [2]float64{2, 2}, [2]float64{2, 2}, [2]float64{0.35, 0.35}},
		{skill{0.55, 0.33, 0.10}, [2]float64{-0.8, -0.1}, [2]float64{-1.3, -0.7}, [2]float64{0.41, 0.18}},
		{skill{0.55, 0.13, 0.09}, [2]float64{-0.1, 3.2}, [2]float64{-1, 5.3}, [2]float64{0.64, -0.37}},
		{skill{0.59, 0.13, 0.11}, [2]float64{-1, 2.6}, [2]float64{-1.7, 2.9}, [2]float64{0.57, 0.36}},
		{skill{0.56, 0.23, 0.09}, [2]float64{-0.9, 0.2}, [2]float64{-1.7, 0.4}, [2]float64{0.39, 0.11}},
		{skill{0.56, 0.13, 0.13}, [2]float64{1.1, 1.2}, [2]float64{1.9, 0.1}, [2]float64{0.39, 0.62}},
		{skill{0.52, 0.19, 0.16}, [2]float64{0.9, 1.3}, [2]float64{1.4, 1}, [2]float64{0.34, 0.58}},
		{skill{0.60, 0.12, 0.10}, [2]float64{0.4, 2.2}, [2]float64{0.5, -0.6}, [2]float64{0.41, 0.52}},
	}
}

// lane returns the way's line through a course for a car of a width [m].
func (w mooseWay) lane(c *coneCourse, width float64) *lane {
	room := func(s section) float64 { return (s.high - s.low - width) / 2 }
	s := &c.sections
	return &lane{
		y: [3]float64{
			s[0].middle(),
			s[1].middle() - c.side*w.cut[0]*room(s[1]),
			s[2].middle() + c.side*w.cut[1]*room(s[2]),
		},
		leaves: [2]float64{s[0].to - w.early[0], s[1].to - w.early[1]},
		meets:  [2]float64{s[1].from + w.late[0], s[2].from + w.late[1]},
	}
}
