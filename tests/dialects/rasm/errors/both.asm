 buildcpr
 buildsna
