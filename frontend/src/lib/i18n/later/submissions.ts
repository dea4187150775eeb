import { addArea } from "..";
import submissions from "../en/submissions.json";

addArea("submissions", submissions);
