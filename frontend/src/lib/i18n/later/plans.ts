import { addArea } from "..";
import plans from "../en/plans.json";

addArea("plans", plans);
