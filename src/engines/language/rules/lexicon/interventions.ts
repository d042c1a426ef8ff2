import methods from './interventions.json' with { type: 'json' }

const patterns: Readonly<Record<keyof typeof methods, RegExp>> = {
  safety_questions:
    /\b(?:(?:thoughts?|thinking) (?:of|about) (?:suicide|ending your life|killing yourself|hurting yourself|harming yourself|not wanting to (?:live|be)|dying|death|taking your)|(?:suicidal|kill yourself|end(?:ing)? your life|wanting to be dead|hurt(?:ing)? yourself|harm(?:ing)? yourself|do(?:ing)? (?:something|anything) to (?:yourself|hurt yourself)))\b.*\??$/i,
  safety_planning:
    /\b(?:(?:who (?:could|would|can) you (?:call|ring|turn to|go to|reach|text))|what could you do (?:if|when) (?:it|that|those|the (?:thought|feeling|urge)s?) (?:gets?|comes?)|safety plan|(?:if|when) (?:it|the thought|the thoughts|that) (?:came|comes|come) (?:again|back)|keep (?:you|yourself) safe|warning signs)\b/i,
  saying_back:
    /\b(?:say|tell|repeat|give|reflect)(?:ing)?(?: (?:it|that|him|her|them))? back (?:to (?:him|her|them) )?(?:what|in your)|just say what you heard|repeat what (?:he|she|they) said\b/i,
  grounding:
    /\b(?:name|tell me|find|notice) (?:five|four|three|5|4|3) things (?:you|that you)|feet (?:flat )?on the (?:floor|ground)|grounding (?:exercise|technique)\b/i,
  breathing:
    /\b(?:let's (?:breathe|take (?:a|some|three) (?:deep |slow )?breaths?)|breathe (?:in|out)\b.*\b(?:in|out|slowly|count|for)|take (?:a|one|three) (?:deep|slow|long) breaths?|in for four)\b/i,
  chair_work:
    /\b(?:(?:empty|other|this) chair\b.{0,40}\b(?:say|speak|talk|tell|sit)|imagine (?:him|her|them|your \w+) (?:is |are |was )?(?:sitting )?in (?:the|that|this) chair|speak to (?:him|her|them) as if)\b/i,
  exposure_planning:
    /\b(?:next (?:rung|step) (?:of|on|up) the (?:ladder|hierarchy)|(?:fear|anxiety|exposure) (?:ladder|hierarchy)|exposure (?:exercise|task|this week|we)|stay (?:in|with) (?:it|the (?:feeling|anxiety|situation)) until)\b/i,
  feared_and_happened:
    /\b(?:what did you (?:think|predict|expect)(?: was| would)?(?: going to)? happen|what (?:did|actually) happen(?:ed)?\b.*\bhappen|how strongly (?:did|do) you believe|behaviou?ral experiment)\b/i,
  cognitive_restructuring:
    /\b(?:evidence (?:for|against) (?:that|the|this) (?:thought|belief|idea)|another way (?:of|to) (?:look(?:ing)? at|see(?:ing)?) (?:it|that|this)|what would you (?:say|tell) (?:to )?a friend|(?:do|did|try|fill in|today we(?:'ll| will) do) (?:a|the) thought record|alternative thought|balanced thought)\b/i,
  behavioural_activation:
    /\b(?:activity (?:schedul\w*|plan|diary)|(?:the|your) activities|pleasant (?:activities|events)|plan (?:some|an|one) (?:activity|activities|nice thing))\b/i,
  letter: /\b(?:write|writing|wrote) (?:\w+ )?(?:a |the )?letter\b|\ba letter to (?:your|him|her|them)\b/i,
  mindfulness:
    /\b(?:body scan|mindfulness (?:exercise|practice)|notice (?:your|the) breath|let the thoughts? (?:pass|float|drift)|where (?:do|did|can) you feel (?:it|that|this) in your body)\b/i,
  scaling:
    /\b(?:(?:scale (?:of|from)|from) (?:nought|zero|0|one|1) to (?:ten|10|a hundred|100)|(?:nought|zero|0|one|1) to (?:ten|10|a hundred|100|one hundred)|out of (?:ten|10|a hundred))\b|\bwhy (?:a|an|is it a) (?:\w+|\d+) and not (?:a|an) (?:\w+|\d+)|what would (?:make|move) it (?:to )?an? (?:\w+|\d+)/i,
  pros_and_cons:
    /\b(?:(?:good|less good|not so good) things about (?:drinking|smoking|using|it|staying|leaving|changing)|pros and cons|upsides? and downsides?|what do you get (?:out of|from) (?:it|drinking|smoking)|downsides? of)\b/i,
  screening_questions:
    /\b(?:over the (?:last|past) (?:two weeks|month|year),? how (?:often|many)|how often do you have a drink|questionnaire|PHQ|GAD-?7|screening)\b/i,
  psychoeducation:
    /\b(?:what (?:happens|we know|often happens) (?:in the (?:body|brain)|is|when)|the (?:brain|body|nervous system)(?: \w+){0,3} (?:is|does|thinks|reacts|goes|learns|treats|keeps)|(?:anxiety|panic|grief|depression|trauma|adrenaline) (?:is|comes|works|peaks|isn't|does|often|usually|tends)|it's (?:very )?(?:common|normal|a normal) (?:for|to|after|with|part|reaction)|(?:cutting|coming|stopping|going) (?:down|off|too) \w+ (?:can|may|might|could) (?:be|make|cause|lead))\b/i,
  problem_solving:
    /\b(?:what have you (?:already )?tried|what (?:would|might|could) (?:help|make it (?:easier|possible))|what are the options|how could you (?:make|get around|handle)|what made .{3,40} possible|is there (?:anybody|anyone|someone|anything) (?:in|at|who|that))\b/i,
  past_success:
    /\b(?:what helped|what (?:has )?worked (?:before|last time|then)|how did you (?:get (?:through|off|out)|manage|do (?:it|that))|when (?:was it|has it been) better|what got you through|what did you do to (?:cope|get (?:by|through)))\b/i,
  goal_setting:
    /\b(?:what (?:would|do) you (?:want to|like to) (?:aim|work on|get out|be different|change|achieve)|what(?:'s| is| would be) your goal|what would you put as your goal|how (?:would|will) you know (?:that )?(?:therapy|this|it)(?: has| is)? (?:worked|working|better))\b/i,
  agreement:
    /\b(?:what do (?:you two|the two of you|you both) (?:say|want|think)|can (?:you two|you both) agree|what could (?:you both|you two) live with)\b/i,
  permission:
    /\b(?:is it (?:okay|ok|all right|alright) if (?:i|we)|i'd like to ask about (?:it|that|this)|would you mind if (?:i|we)|can i ask you about (?:it|that|this)|may i ask)\b/i,
}

export const interventionKinds = (Object.keys(methods) as (keyof typeof methods)[]).map((key) => ({
  ...methods[key],
  pattern: patterns[key],
}))

export const actOf = (name: string): string =>
  interventionKinds.find((kind) => kind.name === name)?.act ?? 'reflected and summed up what was said'
