/** Questionnaires whose scores are read aloud. */
export const instrumentName =
  /\b(?:PHQ[- ]?(?:9|2|15|nine)|GAD[- ]?(?:7|seven|2)|PCL[- ]?5|BDI(?:[- ]?(?:II|2))?|BAI|AUDIT(?:-C)?\b(?= (?:is|was|score|total|came|of))|DAST|DASS(?:-21)?|HADS|MADRS|HAM-?[DA]|Y-?BOCS|OCI(?:-R)?|EDE-?Q|ISI|OQ[- ]?45|CORE[- ]?(?:10|OM)|WSAS|SPIN|LSAS|ORS|SRS|C-?SSRS|MDQ|EPDS|WHO-?5|K-?10|PSWQ|IES-?R|questionnaire)\b/i
