import { addArea } from "..";
import training from "../en/training.json";

addArea("training", training);
