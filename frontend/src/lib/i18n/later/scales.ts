import { addArea } from "..";
import scales from "../en/scales.json";

addArea("scales", scales);
