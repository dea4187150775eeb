import { addArea } from "..";
import plots from "../en/plots.json";

addArea("plots", plots);
