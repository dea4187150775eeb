import { addArea } from "..";
import releases from "../en/releases.json";

addArea("releases", releases);
