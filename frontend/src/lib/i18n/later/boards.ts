import { addArea } from "..";
import boards from "../en/boards.json";

addArea("boards", boards);
