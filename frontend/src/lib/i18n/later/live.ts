import { addArea } from "..";
import live from "../en/live.json";

addArea("live", live);
