import { addArea } from "..";
import evaluations from "../en/evaluations.json";

addArea("evaluations", evaluations);
