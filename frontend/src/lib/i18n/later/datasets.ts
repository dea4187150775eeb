import { addArea } from "..";
import datasets from "../en/datasets.json";

addArea("datasets", datasets);
