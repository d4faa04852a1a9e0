package opendrive

import "encoding/xml"

// The raw types are the elements of a file as encoding/xml decodes them. Numbers have the type numberText
// and are parsed later. elementFilter skips and counts elements without a field.

// rawMap is the root element <OpenDRIVE>.
type rawMap struct {
	XMLName   xml.Name      `xml:"OpenDRIVE"`
	Header    rawHeader     `xml:"header"`
	Roads     []rawRoad     `xml:"road"`
	Junctions []rawJunction `xml:"junction"`
}

// rawHeader is the element <header>.
type rawHeader struct {
	Major        numberText `xml:"revMajor,attr"`
	Minor        numberText `xml:"revMinor,attr"`
	Name         string     `xml:"name,attr"`
	Vendor       string     `xml:"vendor,attr"`
	GeoReference string     `xml:"geoReference"`
}

// rawRoad is the element <road>.
type rawRoad struct {
	ID             string        `xml:"id,attr"`
	Name           string        `xml:"name,attr"`
	Length         numberText    `xml:"length,attr"`
	Junction       string        `xml:"junction,attr"`
	Link           rawLinks      `xml:"link"`
	Plan           []rawGeometry `xml:"planView>geometry"`
	Elevation      []rawCubic    `xml:"elevationProfile>elevation"`
	Superelevation []rawCubic    `xml:"lateralProfile>superelevation"`
	Crossfall      []rawCubic    `xml:"lateralProfile>crossfall"`
	Shape          []rawCubic    `xml:"lateralProfile>shape"`
	LaneOffset     []rawCubic    `xml:"lanes>laneOffset"`
	Sections       []rawSection  `xml:"lanes>laneSection"`
}

// rawLinks is the element <link> of a road.
type rawLinks struct {
	Predecessor rawLink `xml:"predecessor"`
	Successor   rawLink `xml:"successor"`
}

// rawLink is the element <predecessor> or <successor> of a road.
type rawLink struct {
	Kind    string `xml:"elementType,attr"`
	ID      string `xml:"elementId,attr"`
	Contact string `xml:"contactPoint,attr"`
}

// rawGeometry is the element <geometry> of a plan view, with one of the forms.
type rawGeometry struct {
	S      numberText `xml:"s,attr"`
	X      numberText `xml:"x,attr"`
	Y      numberText `xml:"y,attr"`
	Hdg    numberText `xml:"hdg,attr"`
	Length numberText `xml:"length,attr"`
	Line   *struct{}  `xml:"line"`
	Arc    *rawArc    `xml:"arc"`
	Spiral *rawSpiral `xml:"spiral"`
	Poly   *rawCubic  `xml:"poly3"`
	Param  *rawParam  `xml:"paramPoly3"`
}

// rawArc is the element <arc>.
type rawArc struct {
	Curvature numberText `xml:"curvature,attr"`
}

// rawSpiral is the element <spiral>.
type rawSpiral struct {
	Start numberText `xml:"curvStart,attr"`
	End   numberText `xml:"curvEnd,attr"`
}

// rawParam is the element <paramPoly3>.
type rawParam struct {
	AU    numberText `xml:"aU,attr"`
	BU    numberText `xml:"bU,attr"`
	CU    numberText `xml:"cU,attr"`
	DU    numberText `xml:"dU,attr"`
	AV    numberText `xml:"aV,attr"`
	BV    numberText `xml:"bV,attr"`
	CV    numberText `xml:"cV,attr"`
	DV    numberText `xml:"dV,attr"`
	Range string     `xml:"pRange,attr"`
}

// rawCubic is an element with the coefficients of a cubic that applies from S or SOffset on; a <shape> has a T
// as well.
type rawCubic struct {
	S       numberText `xml:"s,attr"`
	SOffset numberText `xml:"sOffset,attr"`
	T       numberText `xml:"t,attr"`
	Side    string     `xml:"side,attr"`
	A       numberText `xml:"a,attr"`
	B       numberText `xml:"b,attr"`
	C       numberText `xml:"c,attr"`
	D       numberText `xml:"d,attr"`
}

// rawSection is the element <laneSection>.
type rawSection struct {
	S          numberText `xml:"s,attr"`
	SingleSide string     `xml:"singleSide,attr"`
	Left       []rawLane  `xml:"left>lane"`
	Center     []struct {
		Marks []rawMark `xml:"roadMark"`
	} `xml:"center>lane"`
	Right []rawLane `xml:"right>lane"`
}

// rawLane is the element <lane>.
type rawLane struct {
	ID     numberText `xml:"id,attr"`
	Type   string     `xml:"type,attr"`
	Level  string     `xml:"level,attr"`
	Before []struct {
		ID numberText `xml:"id,attr"`
	} `xml:"link>predecessor"`
	After []struct {
		ID numberText `xml:"id,attr"`
	} `xml:"link>successor"`
	Width     []rawCubic    `xml:"width"`
	Border    []rawCubic    `xml:"border"`
	Materials []rawMaterial `xml:"material"`
	Marks     []rawMark     `xml:"roadMark"`
	Heights   []rawHeight   `xml:"height"`
}

// rawMaterial is the element <material> of a lane.
type rawMaterial struct {
	SOffset   numberText `xml:"sOffset,attr"`
	Surface   string     `xml:"surface,attr"`
	Friction  numberText `xml:"friction,attr"`
	Roughness numberText `xml:"roughness,attr"`
}

// rawMark is the element <roadMark> of a lane.
type rawMark struct {
	SOffset  numberText `xml:"sOffset,attr"`
	Type     string     `xml:"type,attr"`
	Color    string     `xml:"color,attr"`
	Material string     `xml:"material,attr"`
	Width    numberText `xml:"width,attr"`
}

// rawHeight is the element <height> of a lane.
type rawHeight struct {
	SOffset numberText `xml:"sOffset,attr"`
	Inner   numberText `xml:"inner,attr"`
	Outer   numberText `xml:"outer,attr"`
}

// rawJunction is the element <junction>.
type rawJunction struct {
	ID          string `xml:"id,attr"`
	Name        string `xml:"name,attr"`
	Connections []struct {
		ID         string `xml:"id,attr"`
		Incoming   string `xml:"incomingRoad,attr"`
		Connecting string `xml:"connectingRoad,attr"`
		Contact    string `xml:"contactPoint,attr"`
		Lanes      []struct {
			From numberText `xml:"from,attr"`
			To   numberText `xml:"to,attr"`
		} `xml:"laneLink"`
	} `xml:"connection"`
}
