// The worker in which an engine is tried (apart.py): the page ends it if it takes too long.

import { answerRequests } from "./asked.js";

answerRequests("apart", "the stack of the browser is full");
