import { addArea } from "..";
import audit from "../en/audit.json";

addArea("audit", audit);
